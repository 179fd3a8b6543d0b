package io.portcullis.backend.redis;

import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.netty.channel.EventLoop;
import io.portcullis.backend.redis.LeaseScript.LeaseKeys;
import io.portcullis.backend.redis.LettuceConnector.OpenConnection;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One open connection to the primary, with the commands that an election sends on it.
 *
 * <p>If the server does not report its run_id and uptime, the connection's id and age are used
 * instead. That is conservative, because a connection never outlives its server.
 *
 * <p>Any failure other than an error reply closes the connection, because a later reply could
 * belong to an earlier command.
 */
final class RedisConnection {
  private final OpenConnection<StatefulConnection<String, String>> connection;
  private final LeaseKeys keys;
  private final String id = UUID.randomUUID().toString();
  private final long openedAtNanos = System.nanoTime();
  private volatile boolean closed;

  RedisConnection(OpenConnection<StatefulConnection<String, String>> connection, LeaseKeys keys) {
    this.connection = connection;
    this.keys = keys;
  }

  String id() {
    return id;
  }

  long ageMillis() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - openedAtNanos);
  }

  boolean isOpen() {
    return !closed && connection.isOpen();
  }

  /** Runs the script from the server's script cache. */
  CompletionStage<List<?>> evalSha(String[] arguments, long deadlineNanos) {
    return script(CommandType.EVALSHA, LeaseScript.SHA, arguments, deadlineNanos);
  }

  /** Sends the script and runs it; the server caches it. */
  CompletionStage<List<?>> eval(String[] arguments, long deadlineNanos) {
    return script(CommandType.EVAL, LeaseScript.TEXT, arguments, deadlineNanos);
  }

  private CompletionStage<List<?>> script(
      CommandType type, String script, String[] arguments, long deadlineNanos) {
    CommandArgs<String, String> all =
        arguments().add(script).add(2).addKey(keys.lease()).addKey(keys.record());
    return execute(
        type,
        all.addValues(arguments),
        deadlineNanos,
        reply -> {
          if (reply instanceof List<?> parts) {
            return parts;
          }
          throw new IOException("the script's reply is not a list");
        });
  }

  /**
   * The number of replicas that have confirmed all writes of this connection; known once enough
   * have, or after the given time.
   */
  CompletionStage<Long> waitForReplicas(int wanted, long millis, long deadlineNanos) {
    return execute(
        CommandType.WAIT,
        arguments().add(wanted).add(millis),
        deadlineNanos,
        reply -> {
          if (reply instanceof Long confirmed) {
            return confirmed;
          }
          throw new IOException("the reply to WAIT is not a number");
        });
  }

  /** Sends a message to all subscribers of the channel. */
  CompletionStage<String> publish(String message, long deadlineNanos) {
    CommandArgs<String, String> all = arguments().addKey(keys.channel()).addValue(message);
    return execute(CommandType.PUBLISH, all, deadlineNanos, String::valueOf);
  }

  /** A section of the server's INFO. */
  CompletionStage<String> info(String section, long deadlineNanos) {
    return execute(CommandType.INFO, arguments().add(section), deadlineNanos, String::valueOf);
  }

  private static CommandArgs<String, String> arguments() {
    return new CommandArgs<>(StringCodec.UTF8);
  }

  private interface ReplyParser<T> {
    T read(@Nullable Object reply) throws IOException;
  }

  /**
   * Sends a command from the event loop, unless the deadline has passed or the connection is closed
   * by then; the latter fails with {@link NotSentException}.
   */
  private <T> CompletionStage<T> execute(
      CommandType type,
      CommandArgs<String, String> arguments,
      long deadlineNanos,
      ReplyParser<T> parser) {
    CompletableFuture<T> result = new CompletableFuture<>();
    AsyncCommand<String, String, @Nullable Object> command =
        new AsyncCommand<>(new Command<>(type, new ReplyOutput(), arguments));
    var unused =
        command.whenComplete(
            (reply, failure) -> {
              if (failure != null) {
                fail(result, failure);
              } else {
                complete(result, reply, parser);
              }
            });
    Runnable sending =
        () -> {
          if (deadlineNanos - System.nanoTime() <= 0) {
            result.completeExceptionally(new TimeoutException("it was not sent in time"));
          } else if (!isOpen()) {
            result.completeExceptionally(new NotSentException());
          } else {
            var unusedCommand = connection.lettuce().dispatch(command);
          }
        };
    EventLoop eventLoop = connection.channel().eventLoop();
    try {
      // Scheduled, because the event loop runs scheduled tasks only after it has read what has
      // arrived: by then it has detected a close by the server since the last command.
      eventLoop.execute(
          () -> {
            var unusedTask = eventLoop.schedule(sending, 0, TimeUnit.NANOSECONDS);
          });
    } catch (RejectedExecutionException e) {
      result.completeExceptionally(new NotSentException());
    }
    return result;
  }

  private <T> void complete(
      CompletableFuture<T> result, @Nullable Object reply, ReplyParser<T> parser) {
    try {
      result.complete(parser.read(reply));
    } catch (IOException e) {
      fail(result, e);
    }
  }

  private void fail(CompletableFuture<?> result, Throwable failure) {
    if (!RedisErrorMessages.isErrorReply(failure)) {
      close();
    }
    result.completeExceptionally(failure);
  }

  /** Closes the connection without waiting for pending commands, which fail. */
  void close() {
    if (!closed) {
      closed = true;
      connection.close();
    }
  }

  /** The connection was closed before the command was sent. */
  static final class NotSentException extends IOException {
    private static final long serialVersionUID = 1;

    NotSentException() {
      super("the server has closed the connection");
    }
  }
}

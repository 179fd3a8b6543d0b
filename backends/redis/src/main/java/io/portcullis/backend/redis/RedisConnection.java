package io.portcullis.backend.redis;

import io.portcullis.backend.redis.LeaseScript.LeaseKeys;
import io.portcullis.backend.redis.RespSocket.RedisErrorException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One open connection to the primary. It ends with the server's life, so where the server does not
 * tell its own life and age, this one's stand in for them: they can only be shorter. It also ends
 * with whatever goes wrong on it but a server's refusal: what else it would say could belong to an
 * earlier command.
 */
final class RedisConnection {
  private final RespSocket socket;
  private final RedisIoExecutor worker;
  private final LeaseKeys keys;
  private final String id = UUID.randomUUID().toString();
  private final long openedAtNanos = System.nanoTime();

  /** The worker's. */
  private boolean used;

  RedisConnection(RespSocket wire, RedisIoExecutor worker, LeaseKeys keys) {
    this.socket = wire;
    this.worker = worker;
    this.keys = keys;
  }

  String id() {
    return id;
  }

  long ageMillis() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - openedAtNanos);
  }

  boolean isOpen() {
    return !socket.isCut();
  }

  /**
   * Runs the script that the server already knows. Fails with {@link NotSentException} if the
   * server has hung up meanwhile.
   */
  CompletionStage<List<?>> evalSha(String[] arguments, long deadlineNanos) {
    return script(this::callIfIdle, "EVALSHA", LeaseScript.SHA, arguments, deadlineNanos);
  }

  /** Runs the script and lets the server learn it. */
  CompletionStage<List<?>> eval(String[] arguments, long deadlineNanos) {
    return script(this::call, "EVAL", LeaseScript.TEXT, arguments, deadlineNanos);
  }

  private CompletionStage<List<?>> script(
      CommandSender asking, String command, String script, String[] arguments, long deadlineNanos) {
    List<String> words = new ArrayList<>();
    words.addAll(List.of(command, script, "2", keys.lease(), keys.record()));
    words.addAll(List.of(arguments));
    return execute(
        asking,
        words,
        deadlineNanos,
        reply -> {
          if (reply instanceof List<?> parts) {
            return parts;
          }
          throw new IOException("the script answered with no list");
        });
  }

  /** How many replicas have confirmed what this line has written, once enough did or time is up. */
  CompletionStage<Long> waitForReplicas(int wanted, long millis, long deadlineNanos) {
    List<String> words = List.of("WAIT", Integer.toString(wanted), Long.toString(millis));
    return execute(
        this::call,
        words,
        deadlineNanos,
        reply -> {
          if (reply instanceof Long confirmed) {
            return confirmed;
          }
          throw new IOException("WAIT answered with no number");
        });
  }

  /**
   * Tells all who listen. Fails with {@link NotSentException} if the server has hung up meanwhile.
   */
  CompletionStage<String> publish(String message, long deadlineNanos) {
    List<String> words = List.of("PUBLISH", keys.channel(), message);
    return execute(this::callIfIdle, words, deadlineNanos, String::valueOf);
  }

  /** A section of what the server tells about itself. */
  CompletionStage<String> info(String section, long deadlineNanos) {
    return execute(this::call, List.of("INFO", section), deadlineNanos, String::valueOf);
  }

  private interface CommandSender {
    @Nullable Object call(String... words) throws IOException, RedisErrorException;
  }

  private interface ReplyParser<T> {
    T read(@Nullable Object reply) throws IOException;
  }

  private <T> CompletionStage<T> execute(
      CommandSender asking, List<String> words, long deadlineNanos, ReplyParser<T> reading) {
    return worker.run(
        () -> {
          if (deadlineNanos - System.nanoTime() <= 0) {
            throw new TimeoutException("it was not sent in time");
          }
          try {
            return reading.read(asking.call(words.toArray(new String[0])));
          } catch (IOException | RuntimeException | Error e) {
            socket.cut();
            throw e;
          }
        });
  }

  private @Nullable Object callIfIdle(String... words) throws IOException, RedisErrorException {
    if (used && !socket.isIdle()) {
      throw new NotSentException();
    }
    return call(words);
  }

  private @Nullable Object call(String... words) throws IOException, RedisErrorException {
    used = true;
    return socket.call(words);
  }

  /** Ends it at once, whatever is under way on it. */
  void close() {
    socket.cut();
  }

  /** The connection was found to be over before the command was sent. */
  static final class NotSentException extends IOException {
    private static final long serialVersionUID = 1;

    NotSentException() {
      super("the server has closed the connection");
    }
  }
}

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
  private final RespSocket wire;
  private final SingleThreadWorker worker;
  private final LeaseKeys keys;
  private final String id = UUID.randomUUID().toString();
  private final long openedAtNanos = System.nanoTime();

  /** The worker's. */
  private boolean used;

  RedisConnection(RespSocket wire, SingleThreadWorker worker, LeaseKeys keys) {
    this.wire = wire;
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
    return !wire.isCut();
  }

  /**
   * Runs the script that the server already knows. Fails with {@link NotSentException} if the
   * server has hung up meanwhile.
   */
  CompletionStage<List<?>> runKnown(String[] arguments, long deadlineNanos) {
    return script(this::askAfresh, "EVALSHA", LeaseScript.SHA, arguments, deadlineNanos);
  }

  /** Runs the script and lets the server learn it. */
  CompletionStage<List<?>> runNew(String[] arguments, long deadlineNanos) {
    return script(this::ask, "EVAL", LeaseScript.TEXT, arguments, deadlineNanos);
  }

  private CompletionStage<List<?>> script(
      Asking asking, String command, String script, String[] arguments, long deadlineNanos) {
    List<String> words = new ArrayList<>();
    words.addAll(List.of(command, script, "2", keys.lease(), keys.record()));
    words.addAll(List.of(arguments));
    return say(
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
  CompletionStage<Long> confirmations(int wanted, long millis, long deadlineNanos) {
    List<String> words = List.of("WAIT", Integer.toString(wanted), Long.toString(millis));
    return say(
        this::ask,
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
    return say(this::askAfresh, words, deadlineNanos, String::valueOf);
  }

  /** A section of what the server tells about itself. */
  CompletionStage<String> info(String section, long deadlineNanos) {
    return say(this::ask, List.of("INFO", section), deadlineNanos, String::valueOf);
  }

  private interface Asking {
    @Nullable Object ask(String... words) throws IOException, RedisErrorException;
  }

  private interface Reading<T> {
    T read(@Nullable Object reply) throws IOException;
  }

  private <T> CompletionStage<T> say(
      Asking asking, List<String> words, long deadlineNanos, Reading<T> reading) {
    return worker.run(
        () -> {
          if (deadlineNanos - System.nanoTime() <= 0) {
            throw new TimeoutException("it was not sent in time");
          }
          try {
            return reading.read(asking.ask(words.toArray(new String[0])));
          } catch (IOException | RuntimeException | Error e) {
            wire.cut();
            throw e;
          }
        });
  }

  private @Nullable Object askAfresh(String... words) throws IOException, RedisErrorException {
    if (used && !wire.isQuiet()) {
      throw new NotSentException();
    }
    return ask(words);
  }

  private @Nullable Object ask(String... words) throws IOException, RedisErrorException {
    used = true;
    return wire.ask(words);
  }

  /** Ends it at once, whatever is under way on it. */
  void close() {
    wire.cut();
  }

  /** The connection was found to be over before the command was sent. */
  static final class NotSentException extends IOException {
    private static final long serialVersionUID = 1;

    NotSentException() {
      super("the server has closed the connection");
    }
  }
}

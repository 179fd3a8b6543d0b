package io.portcullis.agent.log;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * Writes lines to standard error. Until it is told otherwise it writes text, and everything from
 * {@code info} on.
 */
public final class LogSink {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  private static final StderrWriter WRITER = StderrWriter.start();

  private static volatile Level level = Level.INFO;
  private static volatile boolean json;

  private LogSink() {}

  /** Sets from which level on lines are written, and whether as JSON. */
  public static void configure(Level from, boolean asJson) {
    level = from;
    json = asJson;
  }

  /** Waits until everything is written, at most so long. */
  public static void flush(Duration atMost) {
    WRITER.flush(atMost.toNanos());
  }

  static boolean isEnabled(Level wanted, String logger) {
    return wanted.toInt() >= (isOurs(logger) ? level : forLibraries()).toInt();
  }

  /**
   * What a client of a store warns of is told by whoever asked it, once and in a line; more is for
   * those who look for a fault.
   */
  private static Level forLibraries() {
    return level.toInt() <= Level.DEBUG.toInt() ? Level.WARN : Level.ERROR;
  }

  private static boolean isOurs(String logger) {
    return logger.equals("portcullis") || logger.startsWith("io.portcullis.");
  }

  static void write(Level at, String logger, String message, @Nullable Throwable error) {
    String time = TIME.format(Instant.now());
    WRITER.write(
        json
            ? JsonLogFormat.of(time, at, logger, message, error)
            : TextLogFormat.of(time, at, logger, message, error));
  }
}

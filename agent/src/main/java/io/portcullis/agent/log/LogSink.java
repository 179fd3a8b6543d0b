package io.portcullis.agent.log;

import io.portcullis.election.threads.DaemonThreads;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
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

  /**
   * Writes lines to standard error on a daemon thread of its own, so that a pipe nobody reads holds
   * up no election. The queue is bounded: what does not fit is dropped, and counted in the next
   * line that does.
   */
  static final class StderrWriter {
    private static final int MAX_QUEUED_LINES = 1024;

    private final BlockingQueue<String> waiting = new ArrayBlockingQueue<>(MAX_QUEUED_LINES);
    private final AtomicLong dropped = new AtomicLong();
    private final PrintStream err =
        new PrintStream(new FileOutputStream(FileDescriptor.err), false, StandardCharsets.UTF_8);
    private final AtomicLong unwritten = new AtomicLong();

    /** Starts the thread. */
    static StderrWriter start() {
      StderrWriter writer = new StderrWriter();
      DaemonThreads.unstarted("portcullis-log", writer::run).start();
      return writer;
    }

    /** Never waits. */
    void write(String line) {
      unwritten.incrementAndGet();
      if (!waiting.offer(line)) {
        unwritten.decrementAndGet();
        dropped.incrementAndGet();
      }
    }

    /** Waits until all is written, at most so long. */
    void flush(long atMostNanos) {
      long endNanos = System.nanoTime() + atMostNanos;
      while (unwritten.get() > 0 && endNanos - System.nanoTime() > 0) {
        java.util.concurrent.locks.LockSupport.parkNanos(1_000_000);
      }
    }

    private void run() {
      while (true) {
        try {
          print(waiting.take(), dropped.getAndSet(0));
        } catch (InterruptedException e) {
          // This thread has no owner that could end it: the log goes on.
        }
      }
    }

    private void print(String line, long lost) {
      if (lost > 0) {
        err.println("portcullis " + lost + " lines of this log were dropped");
      }
      err.println(line);
      err.flush();
      unwritten.decrementAndGet();
    }
  }
}

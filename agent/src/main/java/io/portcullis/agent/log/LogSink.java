package io.portcullis.agent.log;

import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigValueFactory;
import io.portcullis.election.threads.DaemonThreads;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/** Writes log lines to standard error. The default is text format and level {@code info}. */
public final class LogSink {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  private static final StderrWriter WRITER = StderrWriter.start();

  private static volatile Level level = Level.INFO;
  private static volatile boolean json;

  private LogSink() {}

  /** Sets the minimum level and the format. */
  public static void configure(Level from, boolean asJson) {
    level = from;
    json = asJson;
  }

  /** Waits until all queued lines are written, at most {@code atMost}. */
  public static void flush(Duration atMost) {
    WRITER.flush(atMost.toNanos());
  }

  static boolean isEnabled(Level wanted, String logger) {
    return wanted.toInt() >= (isOurs(logger) ? level : forLibraries()).toInt();
  }

  /**
   * Minimum level for libraries. The agent's own classes already log each problem of a store client
   * once, in one line; the clients' warnings are only useful for troubleshooting.
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
   * Writes lines to standard error on a dedicated daemon thread, so that a blocked pipe never
   * delays an election. The queue is bounded: lines that do not fit are dropped, and their number
   * is logged with the next line.
   */
  static final class StderrWriter {
    private static final int MAX_QUEUED_LINES = 1024;

    private final BlockingQueue<String> waiting = new ArrayBlockingQueue<>(MAX_QUEUED_LINES);
    private final AtomicLong dropped = new AtomicLong();
    private final PrintStream err =
        new PrintStream(new FileOutputStream(FileDescriptor.err), false, StandardCharsets.UTF_8);
    private final AtomicLong unwritten = new AtomicLong();

    /** Starts the writer thread. */
    static StderrWriter start() {
      StderrWriter writer = new StderrWriter();
      DaemonThreads.unstarted("portcullis-log", writer::run).start();
      return writer;
    }

    /** Queues a line; never blocks. */
    void write(String line) {
      unwritten.incrementAndGet();
      if (!waiting.offer(line)) {
        unwritten.decrementAndGet();
        dropped.incrementAndGet();
      }
    }

    /** Waits until all queued lines are written, at most {@code atMostNanos}. */
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
          // Logging continues: this thread is never stopped.
        }
      }
    }

    private void print(String line, long lost) {
      if (lost > 0) {
        err.println("portcullis " + lost + " log lines were dropped");
      }
      err.println(line);
      err.flush();
      unwritten.decrementAndGet();
    }
  }

  /** Formats a log line as one JSON object. */
  static final class JsonLogFormat {
    private JsonLogFormat() {}

    static String of(
        String time, Level level, String logger, String message, @Nullable Throwable error) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("at", time);
      fields.put("level", level.name());
      fields.put("logger", logger);
      fields.put("message", message);
      if (error != null) {
        fields.put("error", TextLogFormat.trace(error));
      }
      return ConfigValueFactory.fromMap(fields).render(ConfigRenderOptions.concise());
    }
  }
}

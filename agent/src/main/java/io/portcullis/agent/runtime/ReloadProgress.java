package io.portcullis.agent.runtime;

import io.portcullis.rules.RulesInForce.ReplacementProgress;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Reports the progress of a reload every ten seconds, and stops it if it takes too long. A reload
 * that was stopped changes nothing: the rules in force stay woven until the new ones are.
 */
final class ReloadProgress implements ReplacementProgress {
  /** Maximum duration of a reload, until its rules are in force. */
  static final Duration MAX_RELOAD = Duration.ofMinutes(5);

  static final Duration REPORT_INTERVAL = Duration.ofSeconds(10);

  private final Consumer<String> report;
  private final LongSupplier nanoTime;
  private final long startNanos;
  private long reportNanos;

  /**
   * Starts the time of a reload.
   *
   * @param report receives a sentence for each report
   * @param nanoTime a monotonic clock
   */
  ReloadProgress(Consumer<String> report, LongSupplier nanoTime) {
    this.report = report;
    this.nanoTime = nanoTime;
    this.startNanos = nanoTime.getAsLong();
    this.reportNanos = startNanos + REPORT_INTERVAL.toNanos();
  }

  @Override
  public void checked(ReplacementStep step, int done, int all) {
    long now = nanoTime.getAsLong();
    if (now - (startNanos + MAX_RELOAD.toNanos()) > 0) {
      throw new ReloadTimeoutException(
          "it was stopped after %d minutes, %s; restart the JVM to apply the change"
              .formatted(MAX_RELOAD.toMinutes(), state(step, done, all)));
    }
    if (now - reportNanos >= 0) {
      reportNanos = now + REPORT_INTERVAL.toNanos();
      long seconds = Duration.ofNanos(now - startNanos).toSeconds();
      report.accept("reload has run for %d s, %s".formatted(seconds, state(step, done, all)));
    }
  }

  private static String state(ReplacementStep step, int done, int all) {
    String work =
        switch (step) {
          case TRYING -> "trying the rules";
          case WEAVING -> "weaving the new rules beside those in force";
        };
    return String.format(Locale.ROOT, "%s: %,d of %,d loaded classes checked", work, done, all);
  }

  /** Thrown to stop a reload that takes longer than {@link #MAX_RELOAD}. */
  static final class ReloadTimeoutException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ReloadTimeoutException(String message) {
      super(message);
    }
  }
}

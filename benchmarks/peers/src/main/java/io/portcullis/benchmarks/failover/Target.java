package io.portcullis.benchmarks.failover;

import java.time.Duration;
import java.util.Locale;

/**
 * Targets for one kind of contender.
 *
 * @param handOver for the median
 * @param crash in addition to the lease, for the maximum
 * @param decides whether a miss fails the run, or is only reported
 */
record Target(ContenderKind kind, Duration handOver, Duration crash, boolean decides) {

  boolean isReached(FailoverMeasurements found) {
    return handOverReached(found) && crashReached(found);
  }

  private boolean handOverReached(FailoverMeasurements found) {
    return found.handOvers().median().compareTo(handOver) <= 0;
  }

  private boolean crashReached(FailoverMeasurements found) {
    return found.crashes().longest().compareTo(FailoverTiming.LEASE.plus(crash)) <= 0;
  }

  /** Formats two rows of a table. */
  String rows(FailoverMeasurements found) {
    return String.format(
        Locale.ROOT,
        "| %s: hand-over, median <= %d ms | %s | %s |%n"
            + "| %s: crash, longest <= lease + %.1f s | %s | %s |%n",
        kind.label(),
        handOver.toMillis(),
        Report.millis(found.handOvers().median()),
        handOverReached(found) ? "yes" : "NO",
        kind.label(),
        Report.seconds(crash),
        Report.secondsText(found.crashes().longest()),
        crashReached(found) ? "yes" : "NO");
  }
}

package io.portcullis.benchmarks.failover;

import java.time.Duration;
import java.util.Locale;

/**
 * What one kind is to reach.
 *
 * @param handOver for the median
 * @param crash beyond the lease, for the longest
 * @param decides whether a miss is a failure of the run, or only told
 */
record Target(ContenderKind kind, Duration handOver, Duration crash, boolean decides) {

  boolean isReached(Findings found) {
    return handOverReached(found) && crashReached(found);
  }

  private boolean handOverReached(Findings found) {
    return found.handOvers().median().compareTo(handOver) <= 0;
  }

  private boolean crashReached(Findings found) {
    return found.crashes().longest().compareTo(FailoverTiming.LEASE.plus(crash)) <= 0;
  }

  /** Two rows of a table. */
  String rows(Findings found) {
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

package io.portcullis.backend.quorum;

import io.portcullis.election.backend.LeaseTiming;
import io.portcullis.election.backend.Settings;
import io.portcullis.election.config.Backoff;
import io.portcullis.election.config.Timing;
import io.portcullis.election.config.TimingBuilder;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The timing settings of an election among the nodes.
 *
 * @param timing the settings that all lease stores share
 * @param electionMin minimum wait before a node requests votes
 * @param electionMax maximum wait before a node requests votes
 */
record QuorumTiming(Timing timing, Duration electionMin, Duration electionMax) {
  /** Minimum interval: a shorter one can end before a message and a disk write are complete. */
  private static final Duration MIN_INTERVAL = Duration.ofMillis(10);

  private static final Duration SECOND = Duration.ofSeconds(1);

  private static final double JITTER = 0.1;

  /** Reads and checks the settings; null if a problem was reported. */
  static @Nullable QuorumTiming read(Settings timing) {
    int before = timing.problems();
    TimingBuilder builder = LeaseTiming.read(timing);
    Duration lease = timing.duration("lease");
    Duration renew = timing.optionalDuration("renew").orElse(lease.dividedBy(10));
    Duration min = timing.duration("election-timeout-min");
    Duration max = timing.duration("election-timeout-max");
    if (timing.problems() > before) {
      return null; // The values are compared only if each of them is valid.
    }
    checkRenew(timing, lease, renew);
    checkElection(timing, lease, min, max);
    if (timing.problems() > before) {
      return null;
    }
    builder.renew(renew);
    if (timing.optionalDuration("ask-timeout").isEmpty()) {
      builder.askTimeout(defaultAskTimeout(lease, max));
    }
    builder.retryUntilLapse(List.of(renew.dividedBy(4)));
    builder.holdAfterLapse(Duration.ZERO);
    builder.heldBackoff(Backoff.steady(renew, JITTER));
    builder.unknownBackoff(Backoff.between(min.dividedBy(4), max.dividedBy(4)));
    Timing common = LeaseTiming.build(builder, timing);
    return common == null ? null : new QuorumTiming(common, min, max);
  }

  /** Long enough for a few rounds of an election, but at most half a lease. */
  private static Duration defaultAskTimeout(Duration lease, Duration max) {
    Duration rounds = max.multipliedBy(3);
    Duration wanted = rounds.compareTo(SECOND) > 0 ? rounds : SECOND;
    Duration half = lease.dividedBy(2);
    return wanted.compareTo(half) < 0 ? wanted : half;
  }

  private static void checkRenew(Settings timing, Duration lease, Duration renew) {
    if (renew.compareTo(MIN_INTERVAL) < 0) {
      timing.refuse(
          "renew", "is " + text(renew) + "; it must be at least " + text(MIN_INTERVAL) + ".");
    }
    Duration third = lease.dividedBy(3);
    if (renew.compareTo(third) > 0) {
      timing.refuse(
          "renew",
          "is "
              + text(renew)
              + "; it must be at most a third of lease, "
              + text(third)
              + ", so that one lost heartbeat does not cost the leadership.");
    }
  }

  private static void checkElection(Settings timing, Duration lease, Duration min, Duration max) {
    if (min.compareTo(MIN_INTERVAL) < 0) {
      timing.refuse(
          "election-timeout-min",
          "is " + text(min) + "; it must be at least " + text(MIN_INTERVAL) + ".");
    }
    if (min.compareTo(max) >= 0) {
      timing.refuse(
          "election-timeout-min",
          "is "
              + text(min)
              + "; it must be shorter than election-timeout-max, "
              + text(max)
              + ", else nodes that start together split the votes again and again.");
    }
    if (max.multipliedBy(2).compareTo(lease) >= 0) {
      timing.refuse(
          "election-timeout-max",
          "is "
              + text(max)
              + "; twice that must be shorter than lease, "
              + text(lease)
              + ": shorten this value or lengthen the lease.");
    }
  }

  private static String text(Duration value) {
    if (value.toNanosPart() % 1_000_000 != 0) {
      return value.toNanos() + "ns";
    }
    return value.toMillisPart() == 0 ? value.toSeconds() + "s" : value.toMillis() + "ms";
  }
}

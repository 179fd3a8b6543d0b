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
 * How fast an election among the nodes goes.
 *
 * @param timing what all stores of leases share
 * @param electionMin the shortest wait before a node asks for votes
 * @param electionMax the longest
 */
record QuorumTiming(Timing timing, Duration electionMin, Duration electionMax) {
  /** Below this a message and a write to the disk take longer than what is waited for them. */
  private static final Duration MIN_INTERVAL = Duration.ofMillis(10);

  private static final Duration SECOND = Duration.ofSeconds(1);

  private static final double JITTER = 0.1;

  /** The tempo, or null if it was refused. */
  static @Nullable QuorumTiming read(Settings timing) {
    int before = timing.problems();
    TimingBuilder builder = LeaseTiming.read(timing);
    Duration lease = timing.duration("lease");
    Duration renew = timing.optionalDuration("renew").orElse(lease.dividedBy(10));
    Duration least = timing.duration("election-timeout-min");
    Duration most = timing.duration("election-timeout-max");
    if (timing.problems() > before) {
      return null; // What they say together is looked at only if each could be read.
    }
    checkRenew(timing, lease, renew);
    checkElection(timing, lease, least, most);
    if (timing.problems() > before) {
      return null;
    }
    builder.renew(renew);
    if (timing.optionalDuration("ask-timeout").isEmpty()) {
      builder.askTimeout(patience(lease, most));
    }
    builder.retryUntilLapse(List.of(renew.dividedBy(4)));
    builder.holdAfterLapse(Duration.ZERO);
    builder.heldBackoff(Backoff.steady(renew, JITTER));
    builder.unknownBackoff(Backoff.between(least.dividedBy(4), most.dividedBy(4)));
    Timing whole = LeaseTiming.build(builder, timing);
    return whole == null ? null : new QuorumTiming(whole, least, most);
  }

  /** Long enough for a few rounds of an election, where the lease allows it. */
  private static Duration patience(Duration lease, Duration most) {
    Duration rounds = most.multipliedBy(3);
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

  private static void checkElection(
      Settings timing, Duration lease, Duration least, Duration most) {
    if (least.compareTo(MIN_INTERVAL) < 0) {
      timing.refuse(
          "election-timeout-min",
          "is " + text(least) + "; it must be at least " + text(MIN_INTERVAL) + ".");
    }
    if (least.compareTo(most) >= 0) {
      timing.refuse(
          "election-timeout-min",
          "is "
              + text(least)
              + "; it must be shorter than election-timeout-max, "
              + text(most)
              + ", else nodes that start together split the votes again and again.");
    }
    if (most.multipliedBy(2).compareTo(lease) >= 0) {
      timing.refuse(
          "election-timeout-max",
          "is "
              + text(most)
              + "; twice that must be shorter than lease, "
              + text(lease)
              + ": shorten the one or lengthen the other.");
    }
  }

  private static String text(Duration value) {
    if (value.toNanosPart() % 1_000_000 != 0) {
      return value.toNanos() + "ns";
    }
    return value.toMillisPart() == 0 ? value.toSeconds() + "s" : value.toMillis() + "ms";
  }
}

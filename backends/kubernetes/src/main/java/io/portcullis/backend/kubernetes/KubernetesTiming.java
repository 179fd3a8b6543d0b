package io.portcullis.backend.kubernetes;

import io.portcullis.election.backend.LeaseTiming;
import io.portcullis.election.backend.Settings;
import io.portcullis.election.config.Backoff;
import io.portcullis.election.config.Timing;
import io.portcullis.election.config.TimingBuilder;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the timing of an election in terms of client-go's three durations. */
final class KubernetesTiming {
  /** Maximum pause of a standby, in retry periods; client-go draws it from 1.0 to this value. */
  private static final double MAX_BACKOFF_FACTOR = 2.2;

  /** Minimum renew deadline in tenths of a retry period; client-go requires 1.2 periods. */
  private static final int MIN_DEADLINE_PER_RETRY_TENTHS = 12;

  /** Minimum lease. A duration of one second marks a released Lease. */
  private static final Duration MIN_LEASE = Duration.ofSeconds(2);

  private KubernetesTiming() {}

  /** Returns the timing, or null if it is invalid. */
  static @Nullable Timing read(Settings timing) {
    int before = timing.problems();
    TimingBuilder builder = LeaseTiming.read(timing);
    Duration lease = timing.duration("lease");
    Duration deadline = timing.optionalDuration("renew-deadline").orElse(share(lease, 2.0 / 3));
    Duration retry = timing.optionalDuration("retry").orElse(share(lease, 2.0 / 15));
    Duration ask = timing.optionalDuration("ask-timeout").orElse(share(deadline, 0.4));
    if (timing.problems() > before) {
      return null; // Combinations are checked only if each value is valid.
    }
    check(timing, lease, deadline, retry, ask);
    if (timing.problems() > before) {
      return null;
    }
    builder.renew(retry);
    builder.renewDeadline(deadline);
    builder.retryUntilLapse(List.of(retry));
    builder.askTimeout(ask);
    builder.holdAfterLapse(lease);
    builder.heldBackoff(Backoff.between(retry, share(retry, MAX_BACKOFF_FACTOR)));
    builder.unknownBackoff(Backoff.between(retry, share(retry, MAX_BACKOFF_FACTOR)));
    return LeaseTiming.build(builder, timing);
  }

  private static void check(
      Settings timing, Duration lease, Duration deadline, Duration retry, Duration ask) {
    if (!lease.equals(Duration.ofSeconds(lease.toSeconds())) || lease.compareTo(MIN_LEASE) < 0) {
      timing.refuse(
          "lease", "is " + text(lease) + "; it must be whole seconds, and at least 2 of them.");
    }
    if (deadline.compareTo(lease) >= 0) {
      timing.refuse(
          "renew-deadline",
          "is " + text(deadline) + "; it must be shorter than lease, " + text(lease) + ".");
    }
    if (deadline.multipliedBy(10).compareTo(retry.multipliedBy(MIN_DEADLINE_PER_RETRY_TENTHS))
        <= 0) {
      timing.refuse(
          "retry",
          "is "
              + text(retry)
              + "; 1.2 times that must be shorter than renew-deadline, "
              + text(deadline)
              + ".");
    }
    if (ask.multipliedBy(2).compareTo(deadline) >= 0) {
      timing.refuse(
          "ask-timeout",
          "is "
              + text(ask)
              + "; it must be shorter than half of renew-deadline, "
              + text(deadline.dividedBy(2))
              + ", so that a request that hangs leaves time for another.");
    }
  }

  private static Duration share(Duration whole, double part) {
    return Duration.ofMillis(Math.round(whole.toMillis() * part));
  }

  private static String text(Duration duration) {
    return duration.toMillis() % 1000 == 0
        ? duration.toSeconds() + "s"
        : duration.toMillis() + "ms";
  }
}

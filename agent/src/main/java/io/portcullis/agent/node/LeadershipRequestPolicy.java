package io.portcullis.agent.node;

import io.portcullis.election.store.StoreFeatures.PreferredNode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a standby requests the leadership because of its priority. It first asks after
 * {@code priority-after} of healthy standby under the same leader. It repeats the request with
 * exponential backoff that starts at one lease; a leader that does not yield may have a higher
 * priority. If the leader changes after a request, to this node or to another, it does not ask the
 * next leader soon: a node that never obtains the leadership, or can't keep it, must not make it
 * move around among the others.
 */
final class LeadershipRequestPolicy {
  private final Duration after;
  private final long leaseNanos;
  private final long maxPauseNanos;
  private @Nullable Long healthySinceNanos;
  private long leaderEpoch;
  private @Nullable Long askedNanos;
  private long askedEpoch;
  private long pauseNanos;

  LeadershipRequestPolicy(Duration after, Duration lease) {
    this.after = after;
    this.leaseNanos = lease.toNanos();
    this.maxPauseNanos = after.multipliedBy(YieldPolicy.MIN_PAUSE_FACTOR).toNanos();
  }

  /**
   * How long this node has been healthy, if a request is due now; else null.
   *
   * @param epoch the epoch of another node's leadership while this node is standby; else null
   */
  @Nullable Duration healthyDurationIfDue(@Nullable Long epoch, long nowNanos) {
    if (epoch == null) {
      healthySinceNanos = null;
      return null;
    }
    if (healthySinceNanos == null || epoch != leaderEpoch) {
      healthySinceNanos = nowNanos;
      leaderEpoch = epoch;
    }
    Duration healthy = Duration.ofNanos(nowNanos - healthySinceNanos);
    if (healthy.compareTo(after) < 0 || !isDue(epoch, nowNanos)) {
      return null;
    }
    pauseNanos = Math.min(epoch == askedEpoch ? 2 * pauseNanos : leaseNanos, maxPauseNanos);
    askedNanos = nowNanos;
    askedEpoch = epoch;
    return healthy;
  }

  private boolean isDue(long epoch, long nowNanos) {
    long pause = epoch == askedEpoch ? pauseNanos : maxPauseNanos;
    return askedNanos == null || nowNanos - askedNanos >= pause;
  }

  /**
   * Decides when a leader yields to a node of higher priority: once that node has been healthy for
   * long enough, and not again soon, so that the leadership does not move back and forth if that
   * node fails whenever it leads.
   */
  static final class YieldPolicy {
    /** Minimum pause between two yields, as a multiple of {@code priority-after}. */
    static final int MIN_PAUSE_FACTOR = 5;

    private final Duration after;
    private @Nullable Long lastNanos;

    YieldPolicy(Duration after) {
      this.after = after;
    }

    boolean isDue(PreferredNode preferred, long nowNanos) {
      return nowNanos - preferred.sinceNanos() >= after.toNanos()
          && (lastNanos == null || nowNanos - lastNanos >= MIN_PAUSE_FACTOR * after.toNanos());
    }

    void recordYield(long nowNanos) {
      lastNanos = nowNanos;
    }

    Duration after() {
      return after;
    }
  }
}

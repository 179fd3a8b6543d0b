package io.portcullis.agent.node;

import io.portcullis.election.store.PreferredNode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * When a standby says that it would rather lead: once it has stood by, well, under one leader for
 * long enough, again after a lease, and then ever more seldom, since a leader that was not moved by
 * it may rank higher. If a hand-over came of it, to this node or to another, it does not ask the
 * next leader soon: a node that never gets hold of the leadership, or can't keep it, does not send
 * it round among the others.
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
   * For how long this node has been well, if it is to say so now; null if it is not.
   *
   * @param epoch under which another leads while this node stands by; null if it does not
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
    Duration well = Duration.ofNanos(nowNanos - healthySinceNanos);
    if (well.compareTo(after) < 0 || !isDue(epoch, nowNanos)) {
      return null;
    }
    pauseNanos = Math.min(epoch == askedEpoch ? 2 * pauseNanos : leaseNanos, maxPauseNanos);
    askedNanos = nowNanos;
    askedEpoch = epoch;
    return well;
  }

  private boolean isDue(long epoch, long nowNanos) {
    long pause = epoch == askedEpoch ? pauseNanos : maxPauseNanos;
    return askedNanos == null || nowNanos - askedNanos >= pause;
  }

  /**
   * When a leader gives way to a node of higher priority: once that one has been well for long
   * enough, and not again soon, so that a node which fails whenever it leads does not take the
   * leadership back and forth.
   */
  static final class YieldPolicy {
    /** So many times the wait must pass from one time to the next. */
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

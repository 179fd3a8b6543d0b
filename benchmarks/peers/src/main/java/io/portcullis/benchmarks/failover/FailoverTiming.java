package io.portcullis.benchmarks.failover;

import java.time.Duration;

/** The times that all kinds are given alike. */
final class FailoverTiming {
  /** Lease, watchdog's timeout, session's timeout, longest time of a lock. */
  static final Duration LEASE = Duration.ofSeconds(3);

  /** What Redisson's watchdog and ZooKeeper's client make of that by themselves: a third. */
  static final Duration RENEW = LEASE.dividedBy(3);

  /**
   * ZooKeeper ends sessions by ticks, and none before two of them. Its usual two seconds would not
   * allow this lease, and a short one is to its advantage.
   */
  static final Duration ZOOKEEPER_TICK = Duration.ofMillis(500);

  /** ShedLock has no wake-up, so who waits tries again after this pause: ten times a second. */
  static final Duration SHEDLOCK_POLL = Duration.ofMillis(100);

  private FailoverTiming() {}
}

package io.portcullis.benchmarks.failover;

import java.time.Duration;

/** The timing that all kinds use. */
final class FailoverTiming {
  /** Lease, watchdog timeout, session timeout and maximum lock time. */
  static final Duration LEASE = Duration.ofSeconds(3);

  /**
   * The renewal interval that Redisson's watchdog and ZooKeeper's client derive from it: a third.
   */
  static final Duration RENEW = LEASE.dividedBy(3);

  /**
   * ZooKeeper's tick time. ZooKeeper expires sessions at ticks, and none before two of them. Its
   * default of two seconds would not allow this lease, and a short tick is to its advantage.
   */
  static final Duration ZOOKEEPER_TICK = Duration.ofMillis(500);

  /**
   * ShedLock has no notification, so a waiting node retries after this pause: ten times a second.
   */
  static final Duration SHEDLOCK_POLL = Duration.ofMillis(100);

  private FailoverTiming() {}
}

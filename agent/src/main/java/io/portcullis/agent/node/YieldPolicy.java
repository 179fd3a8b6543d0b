package io.portcullis.agent.node;

import io.portcullis.election.store.PreferredNode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * When a leader gives way to a node of higher priority: once that one has been well for long
 * enough, and not again soon, so that a node which fails whenever it leads does not take the
 * leadership back and forth.
 */
final class YieldPolicy {
  /** So many times the wait must pass from one time to the next. */
  static final int SELDOM = 5;

  private final Duration after;
  private @Nullable Long lastNanos;

  YieldPolicy(Duration after) {
    this.after = after;
  }

  boolean isDue(PreferredNode preferred, long nowNanos) {
    return nowNanos - preferred.sinceNanos() >= after.toNanos()
        && (lastNanos == null || nowNanos - lastNanos >= SELDOM * after.toNanos());
  }

  void given(long nowNanos) {
    lastNanos = nowNanos;
  }

  Duration after() {
    return after;
  }
}

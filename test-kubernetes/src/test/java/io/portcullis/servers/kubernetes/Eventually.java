package io.portcullis.servers.kubernetes;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a condition. */
final class Eventually {
  private static final Duration MAX_WAIT = Duration.ofMinutes(2);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(10);

  private Eventually() {}

  static void holds(BooleanSupplier condition) {
    long due = System.nanoTime() + MAX_WAIT.toNanos();
    while (!condition.getAsBoolean()) {
      if (due - System.nanoTime() <= 0) {
        throw new AssertionError("it did not come within " + MAX_WAIT);
      }
      LockSupport.parkNanos(POLL_INTERVAL.toNanos());
    }
  }
}

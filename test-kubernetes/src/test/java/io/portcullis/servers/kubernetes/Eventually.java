package io.portcullis.servers.kubernetes;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what has to come. */
final class Eventually {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration BRIEFLY = Duration.ofMillis(10);

  private Eventually() {}

  static void holds(BooleanSupplier condition) {
    long due = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (due - System.nanoTime() <= 0) {
        throw new AssertionError("it did not come within " + PATIENCE);
      }
      LockSupport.parkNanos(BRIEFLY.toNanos());
    }
  }
}

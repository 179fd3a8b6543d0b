package io.portcullis.benchmarks.quorum;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for conditions. */
final class Pause {
  /**
   * Short compared with all measured times, and long enough to leave the processor to the members.
   */
  private static final long LOOK_NANOS = 200_000;

  private Pause() {}

  static void lasting(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  static void until(BooleanSupplier condition, Duration patience, String failure) {
    long end = System.nanoTime() + patience.toNanos();
    while (!condition.getAsBoolean()) {
      if (end - System.nanoTime() <= 0) {
        throw new MeasurementException(failure + " within " + patience.toSeconds() + " s.");
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }
}

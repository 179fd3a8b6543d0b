package io.portcullis.benchmarks.startup;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Sleeps, where only time has to pass or a state can only be polled. */
final class Pause {
  private Pause() {}

  static void lasting(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}

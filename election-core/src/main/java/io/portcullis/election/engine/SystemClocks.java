package io.portcullis.election.engine;

import io.portcullis.election.machine.StepContext.ClockReading;

/** Reads the wall clock between two looks at the monotonic one, so that a pause is noticed. */
final class SystemClocks implements Clocks {
  /** More than this between the two looks, and the pair says nothing about each other. */
  private static final long MAX_READ_GAP_NANOS = 1_000_000;

  private static final int MAX_TRIES = 5;

  @Override
  public ClockReading read() {
    for (int tries = 1; ; tries++) {
      long before = System.nanoTime();
      ClockReading reading = new ClockReading(before, System.currentTimeMillis());
      // A machine too busy for a close pair gets a loose one: at worst the gate shuts until the
      // next renewal.
      if (System.nanoTime() - before < MAX_READ_GAP_NANOS || tries == MAX_TRIES) {
        return reading;
      }
    }
  }
}

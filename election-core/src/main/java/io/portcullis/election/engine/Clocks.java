package io.portcullis.election.engine;

import io.portcullis.election.machine.StepContext.ClockReading;

/** Source of a node's time. */
public interface Clocks {
  /** Reads the monotonic and the wall clock together. */
  ClockReading read();

  static Clocks ofThisMachine() {
    return new SystemClocks();
  }

  /**
   * Reads the wall clock between two readings of the monotonic clock, so that a pause in between is
   * detected.
   */
  static final class SystemClocks implements Clocks {
    /**
     * If the two monotonic readings are further apart than this, the pair of clocks is not
     * comparable.
     */
    private static final long MAX_READ_GAP_NANOS = 1_000_000;

    private static final int MAX_TRIES = 5;

    @Override
    public ClockReading read() {
      for (int tries = 1; ; tries++) {
        long before = System.nanoTime();
        ClockReading reading = new ClockReading(before, System.currentTimeMillis());
        // If the machine is too busy, accept an imprecise pair: at worst the gate shuts until the
        // next renewal.
        if (System.nanoTime() - before < MAX_READ_GAP_NANOS || tries == MAX_TRIES) {
          return reading;
        }
      }
    }
  }
}

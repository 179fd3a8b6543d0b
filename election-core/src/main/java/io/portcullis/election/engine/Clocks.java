package io.portcullis.election.engine;

import io.portcullis.election.machine.StepContext.ClockReading;

/** Source of a node's time. */
public interface Clocks {
  /** Reads the monotonic and the wall clock together. */
  ClockReading read();

  static Clocks ofThisMachine() {
    return new SystemClocks();
  }
}

package io.portcullis.election.engine;

import io.portcullis.election.machine.StepContext.ClockReading;

/** Where a node reads the time. */
public interface Clocks {
  /** Both clocks at one moment. */
  ClockReading read();

  /** The clocks of this machine. */
  static Clocks ofThisMachine() {
    return new SystemClocks();
  }
}

package io.portcullis.election.engine;

import io.portcullis.election.machine.Reading;

/** Where a node reads the time. */
public interface Clocks {
  /** Both clocks at one moment. */
  Reading read();

  /** The clocks of this machine. */
  static Clocks ofThisMachine() {
    return new MachineClocks();
  }
}

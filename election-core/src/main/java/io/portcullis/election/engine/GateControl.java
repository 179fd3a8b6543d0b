package io.portcullis.election.engine;

import io.portcullis.election.machine.Grant;

/** What the engine opens and shuts. Called from the engine's thread only. */
public interface GateControl {
  /** Lets calls pass until the grant's deadline, by the monotonic clock, without further ado. */
  void open(Grant grant);

  /** Lets no call pass from now on. Must not fail. */
  void shut();

  /**
   * Tells that calls still running have lost the right under which they were let pass, or are about
   * to: the door is shut, and nobody waits for them any more. Must not fail.
   */
  default void abandonCalls() {}

  /**
   * How many calls that were let pass are still running. A zero read after {@link #shut} must mean
   * that none is, and none will be.
   */
  long callsInFlight();
}

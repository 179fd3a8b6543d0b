package io.portcullis.election.engine;

import io.portcullis.election.machine.Grant;

/** Gate that the engine opens and shuts. Called by the engine's thread only. */
public interface GateControl {
  /**
   * Admits calls until the grant's deadline on the monotonic clock. At the deadline the gate shuts
   * without a further call.
   */
  void open(Grant grant);

  /** Admits no call from now on. Must not throw. */
  void shut();

  /**
   * Called when calls still running have lost the lease under which they were admitted, or are
   * about to: the gate is shut, and draining no longer waits for them. Must not throw.
   */
  default void abandonCalls() {}

  /**
   * Number of admitted calls that are still running. If this returns zero after {@link #shut}, no
   * call is running and none will be.
   */
  long callsInFlight();
}

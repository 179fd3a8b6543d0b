package io.portcullis.election;

import io.portcullis.election.machine.Leader;
import io.portcullis.election.machine.LossReason;

/**
 * Receives the events of one election. Events are delivered one at a time and in order, on a
 * separate thread of the election. A slow listener receives later events late, but delays neither
 * the gate nor the election. An event is information, not permission: to check whether this node
 * leads now, use the tenure.
 */
public interface ElectionListener {

  /**
   * This node leads, under the epoch of the tenure. Keep the tenure to detect when it ends. May be
   * called again with the same epoch, if the gate was shut because renewals failed and no other
   * node was granted the lease in between.
   */
  default void startedLeading(Tenure tenure) {}

  /**
   * This node no longer leads; its gate is already shut. In a graceful handover the lease is
   * released first, so another node may already lead when this is called.
   *
   * @param epoch the epoch under which this node led
   */
  default void stoppedLeading(long epoch, LossReason ending, String why) {}

  /** There is a new leader, possibly this node itself. */
  default void newLeader(Leader leader) {}
}

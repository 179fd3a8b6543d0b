package io.portcullis.election;

import io.portcullis.election.machine.Leader;
import io.portcullis.election.machine.LossReason;

/**
 * Hears what happens. Called one at a time, in order, on a thread of the election's own; whoever
 * takes long hears late, but holds up neither the gate nor the election. What it hears is news, not
 * permission: to know whether this node leads now, ask the tenure.
 */
public interface ElectionListener {

  /**
   * This node leads, under the epoch that the tenure carries. Keep the tenure to see when that
   * ends. May come again under the same epoch, if the gate had shut in doubt and nobody else was
   * granted the lease meanwhile.
   */
  default void startedLeading(Tenure tenure) {}

  /**
   * This node led and does so no more; its gate was shut before. In an orderly hand-over the lease
   * is released first, so another node may lead already when this is heard.
   *
   * @param epoch the epoch under which it led
   */
  default void stoppedLeading(long epoch, LossReason ending, String why) {}

  /** Somebody leads who did not before, perhaps this node itself. */
  default void newLeader(Leader leader) {}
}

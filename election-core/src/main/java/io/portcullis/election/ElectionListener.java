package io.portcullis.election;

import io.portcullis.election.machine.Ending;
import io.portcullis.election.machine.Leader;

/**
 * Hears what happens. Called one at a time, in order, on a thread of the election's own; whoever
 * takes long hears late, but holds up neither the gate nor the election.
 */
public interface ElectionListener {

  /** This node leads. Keep the tenure to see when that ends. */
  default void startedLeading(Tenure tenure) {}

  /** This node led and does so no more; its gate was shut before. */
  default void stoppedLeading(long epoch, Ending ending, String why) {}

  /** Somebody leads who did not before, perhaps this node itself. */
  default void newLeader(Leader leader) {}
}

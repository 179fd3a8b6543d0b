package io.portcullis.election.contract;

import io.portcullis.election.LeaderElection;
import io.portcullis.election.config.Timing;

/** A place whose nodes all have the same timing. */
public interface TimedPlace extends Place {

  /** The timing of all nodes. */
  Timing timing();

  /** A node that asks by hand. */
  default Claimant claimant(String node) {
    return new Claimant(this, node, timing());
  }

  /** A node that takes part under watch. */
  default LeaderElection node(GateWatch watch, String name) {
    return Pair.node(watch, this, name, timing());
  }

  /** Two nodes of this election. */
  default Pair pair() throws InterruptedException {
    return pairWith(this);
  }

  /** Two nodes, the second by another way. */
  default Pair pairWith(Place second) throws InterruptedException {
    return Pair.at(this, second, timing());
  }
}

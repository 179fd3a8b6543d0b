package io.portcullis.agent.node;

import java.time.Duration;
import java.util.Optional;

/** One election as operators see and command it. */
public interface NodeElection {

  /** The election's name. */
  String name();

  /** How it stands at this moment. */
  ElectionView view();

  /** Why this node can't be commanded in this election, if so: the three below would throw. */
  default Optional<String> takesNoOrders() {
    return Optional.empty();
  }

  /** Hands over, and stays out until another leads or two leases have passed. */
  void stepDown();

  /** Hands over once calls in flight have ended, at most so long, and stays out. */
  void drain(Duration atMost);

  /** Takes part again after {@link #drain}. */
  void resume();
}

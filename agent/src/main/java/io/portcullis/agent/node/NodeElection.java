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
  default Optional<String> orderRefusal() {
    return Optional.empty();
  }

  /** Hands over, and stays out until another leads or two leases have passed. */
  default void stepDown() {
    stepDown(Optional.empty());
  }

  /**
   * The same, to the node named, as far as the backend has names for nodes: with the quorum, a
   * member's id. If that one could not follow, it is refused and the leadership kept.
   *
   * @param to whom, empty for whoever comes first
   * @throws IllegalStateException with the reason if it is refused
   */
  void stepDown(Optional<String> to);

  /** Hands over once calls in flight have ended, at most so long, and stays out. */
  void drain(Duration atMost);

  /** Takes part again after {@link #drain}. */
  void resume();
}

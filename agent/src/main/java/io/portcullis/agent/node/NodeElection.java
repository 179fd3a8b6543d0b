package io.portcullis.agent.node;

import java.time.Duration;
import java.util.Optional;

/** One election of this node, with its state and its admin commands. */
public interface NodeElection {

  String name();

  /** Takes a snapshot of the current state. */
  ElectionView view();

  /** Why this node refuses admin commands for this election; if present, they throw. */
  default Optional<String> commandRefusal() {
    return Optional.empty();
  }

  /** Hands over, and stays out until another leads or two leases have passed. */
  default void stepDown() {
    stepDown(Optional.empty());
  }

  /**
   * Steps down in favour of a named node, if the backend has names for nodes; with the quorum
   * backend, the name is a member's id. If that node can't take over, the command is refused and
   * this node keeps the leadership.
   *
   * @param to the node that takes over; empty for any node
   * @throws IllegalStateException with the reason if the command is refused
   */
  void stepDown(Optional<String> to);

  /** Hands over when calls in flight have ended or the time has passed, then stays out. */
  void drain(Duration atMost);

  /** Takes part again after {@link #drain}. */
  void resume();
}

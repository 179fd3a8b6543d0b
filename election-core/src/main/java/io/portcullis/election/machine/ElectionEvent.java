package io.portcullis.election.machine;

/** An event for listeners. */
public sealed interface ElectionEvent {

  /** This node's gate has opened under {@code epoch}. */
  record StartedLeading(long epoch, String why) implements ElectionEvent {}

  /** This node's tenure under {@code epoch} has ended; its gate is already shut. */
  record StoppedLeading(long epoch, LossReason reason, String why) implements ElectionEvent {}

  /** There is a new leader, possibly this node itself. */
  record NewLeader(Leader leader) implements ElectionEvent {}
}

package io.portcullis.election.machine;

/** What listeners hear of. */
public sealed interface ElectionEvent {

  /** This node's gate has opened under {@code epoch}. */
  record StartedLeading(long epoch, String why) implements ElectionEvent {}

  /** This node's tenure under {@code epoch} is over; its gate was shut before. */
  record StoppedLeading(long epoch, LossReason reason, String why) implements ElectionEvent {}

  /** Somebody leads who did not before, perhaps this node itself. */
  record NewLeader(Leader leader) implements ElectionEvent {}
}

package io.portcullis.backend.quorum.machine;

/**
 * What a step wants done outside, in order. If a {@link Save} fails, nothing after it may be done:
 * the step is told {@link QuorumInput.SaveFailed} instead.
 */
public sealed interface QuorumEffect {

  /** Make this ballot durable before going on. */
  record Save(HardState ballot) implements QuorumEffect {}

  /** Send this message to this member; it may get lost. */
  record Send(int to, QuorumMessage message) implements QuorumEffect {}

  /** Answer the question of this id. */
  record Answer(long id, io.portcullis.election.store.LeaseResponse answer)
      implements QuorumEffect {}

  /** The election may want to ask again. */
  record Hint() implements QuorumEffect {}
}

package io.portcullis.backend.quorum.machine;

/**
 * An action that the caller executes after a step, in order. If a {@link Save} fails, the caller
 * must not execute the effects after it and passes {@link QuorumInput.SaveFailed} to the next step.
 */
public sealed interface QuorumEffect {

  /** Make this ballot durable before executing the next effect. */
  record Save(HardState ballot) implements QuorumEffect {}

  /** Send this message to this member; it may get lost. */
  record Send(int to, QuorumMessage message) implements QuorumEffect {}

  /** Respond to the request with this id. */
  record Answer(long id, io.portcullis.election.store.LeaseResponse answer)
      implements QuorumEffect {}

  /** Notify the election that a new request may succeed. */
  record Hint() implements QuorumEffect {}
}

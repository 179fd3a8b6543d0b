package io.portcullis.backend.quorum.machine;

/**
 * What a step wants done outside, in order. If a {@link Save} fails, nothing after it may be done:
 * the step is told {@link Input.SaveFailed} instead.
 */
public sealed interface Effect {

  /** Make this ballot durable before going on. */
  record Save(Ballot ballot) implements Effect {}

  /** Send this message to this member; it may get lost. */
  record Send(int to, Message message) implements Effect {}

  /** Answer the question of this id. */
  record Answer(long id, io.portcullis.election.store.Answer answer) implements Effect {}

  /** The election may want to ask again. */
  record Hint() implements Effect {}
}

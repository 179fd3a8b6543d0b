package io.portcullis.election.machine;

import io.portcullis.election.store.Answer;

/** What a step can be told. */
public sealed interface Input {

  /** Time has passed. */
  record Tick() implements Input {}

  /** An answer to the request of this sequence has arrived. */
  record Answered(long sequence, Answer answer) implements Input {}

  /** Something may have changed in the store. */
  record Hint() implements Input {}

  /** Somebody in charge wants something. */
  record Ordered(Command command) implements Input {}
}

package io.portcullis.election.machine;

import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseResponse;

/** What a step can be told. */
public sealed interface Input {

  /** Time has passed. */
  record Tick() implements Input {}

  /** An answer to the request of this sequence has arrived. */
  record Answered(long sequence, LeaseResponse answer) implements Input {}

  /** Something may have changed in the store. */
  record Hint() implements Input {}

  /** The store shows its record unasked. */
  record RecordPushed(LeaseRecord record) implements Input {}

  /** Somebody in charge wants something. */
  record Ordered(Command command) implements Input {}
}

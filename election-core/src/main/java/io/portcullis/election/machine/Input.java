package io.portcullis.election.machine;

import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseResponse;

/** An input to a step. */
public sealed interface Input {

  /** Time has passed. */
  record Tick() implements Input {}

  /** A response to the request with this sequence number has arrived. */
  record Answered(long sequence, LeaseResponse answer) implements Input {}

  /** Something may have changed in the store. */
  record Hint() implements Input {}

  /** The store has pushed its record without a request. */
  record RecordPushed(LeaseRecord record) implements Input {}

  /** A command was given. */
  record Ordered(Command command) implements Input {}
}

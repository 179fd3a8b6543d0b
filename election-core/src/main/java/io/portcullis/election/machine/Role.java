package io.portcullis.election.machine;

import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseResponse;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What a node is in an election. Immutable; every role answers every input. {@link #passTime} runs
 * before any other input is looked at, so no role ever judges an answer by a right that has lapsed.
 */
public sealed interface Role
    permits Standby, Leading, Lapsed, Draining, Releasing, Inactive, Stopped {

  /** What time alone does: deadlines pass, requests fall due or go unanswered. */
  Step passTime(StepContext now);

  /** The answer to {@link #pending()} has arrived. */
  Step onAnswer(RequestInFlight asked, LeaseResponse answer, StepContext now);

  /** Something may have changed in the store. */
  Step onHint(StepContext now);

  /**
   * The store shows its record unasked: newer than all that it answered, and seen from now on.
   * Opens nothing; whoever wants something on the strength of it has to ask.
   */
  default Step onRecordPushed(LeaseRecord seen, StepContext now) {
    return onHint(now);
  }

  /** Somebody in charge wants something. */
  Step onCommand(Command command, StepContext now);

  /** The request whose answer this role waits for. */
  @Nullable RequestInFlight pending();

  /** When {@link #passTime} next has something to do; empty if never. */
  OptionalLong wakeAtNanos();

  /** What the node remembers. */
  Memory memory();

  /** What people call it. */
  RoleName name();
}

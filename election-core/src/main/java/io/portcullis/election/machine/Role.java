package io.portcullis.election.machine;

import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseResponse;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A node's role in an election. Immutable; every role handles every input. {@link #passTime} runs
 * before any other input is processed, so no role ever evaluates a response under a right that has
 * lapsed.
 */
public sealed interface Role
    permits Standby, Leading, Lapsed, Draining, Releasing, Inactive, Stopped {

  /** Applies the passing of time: deadlines pass, requests fall due or time out. */
  Step passTime(StepContext now);

  /** Handles the response to {@link #pending()}. */
  Step onAnswer(RequestInFlight asked, LeaseResponse response, StepContext now);

  /** Handles a hint that something may have changed in the store. */
  Step onHint(StepContext now);

  /**
   * Handles a record that the store pushed without a request: it is newer than all earlier
   * responses, and counts as seen from now on. It opens nothing; a node that wants to act on it has
   * to send a request.
   */
  default Step onRecordPushed(LeaseRecord seen, StepContext now) {
    return onHint(now);
  }

  Step onCommand(Command command, StepContext now);

  /** The request whose response this role waits for. */
  @Nullable RequestInFlight pending();

  /** When {@link #passTime} next has an effect; empty if never. */
  OptionalLong wakeAtNanos();

  Memory memory();

  /** The role's name for display. */
  RoleName name();
}

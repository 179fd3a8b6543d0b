package io.portcullis.fencing.protocol;

import io.portcullis.fencing.FencedDatabase;
import io.portcullis.gate.sql.SqlEffect.FenceRequirement;

/**
 * State of the session's transaction, and whether the epoch was checked in it.
 *
 * <p>A check is valid within the group of messages in which it was sent, since the server runs
 * nothing of the group after a failure. Beyond that group it is valid only once the server has
 * responded to every group since with "in a transaction". Anything that may have ended the
 * transaction invalidates the check.
 */
final class TransactionState {
  /** State of the server when it reads the next message, unless it skips that message. */
  private enum State {
    IDLE,
    OPEN,
    FAILED,
    UNKNOWN
  }

  private State state = State.UNKNOWN;
  private FenceRequirement checked = FenceRequirement.NOTHING;
  private long checkedInGroup;
  private long sent;
  private long answered;
  private boolean groupBegun;
  private long epochAtBegin;
  private long lastCheckedEpoch;

  /** The number of the group that is being sent. */
  long group() {
    return sent;
  }

  /** Whether the server has responded to every group. */
  boolean isSettled() {
    return sent == answered;
  }

  /** Whether the server has responded to this group. */
  boolean isAnswered(long group) {
    return answered > group;
  }

  /** The server is outside any transaction, and nothing is in flight. */
  boolean isSurelyIdle() {
    return state == State.IDLE;
  }

  /** The server is inside an explicit transaction, or skips the messages that follow. */
  boolean isSurelyOpen() {
    return state == State.OPEN || state == State.FAILED;
  }

  /** The server is inside a failed transaction, and accepts only statements that end it. */
  boolean isSurelyFailed() {
    return state == State.FAILED;
  }

  /** Whether this group already has a message that belongs to a transaction. */
  boolean isGroupBegun() {
    return groupBegun;
  }

  /** Called before a message is sent that belongs to a transaction. */
  void touch(FencedDatabase site) {
    if (!groupBegun) {
      if (state == State.IDLE) {
        epochAtBegin = site.openEpoch();
      }
      groupBegun = true;
    }
  }

  boolean isChecked(FenceRequirement need) {
    return checked.compareTo(need) >= 0 && (checkedInGroup == sent || isSettled());
  }

  /** The epoch to check now: the lower of the gated call's and the transaction's. */
  long epochToCheck(FencedDatabase site) {
    long pinned = site.pinnedEpoch();
    boolean usesPinned = pinned > 0 && (epochAtBegin <= 0 || pinned < epochAtBegin);
    lastCheckedEpoch = usesPinned ? pinned : epochAtBegin;
    return lastCheckedEpoch;
  }

  long lastCheckedEpoch() {
    return lastCheckedEpoch;
  }

  /** Whether the last check was for a statement that may write, not one that certainly does. */
  boolean isReadOnlyIfStale() {
    return checked == FenceRequirement.READ_ONLY_IF_STALE;
  }

  /** Called when an epoch check was sent. */
  void markChecked(FenceRequirement need) {
    checked = need;
    checkedInGroup = sent;
  }

  /** Called when a statement was sent that begins a transaction. */
  void begin() {
    checked = FenceRequirement.NOTHING;
    state = State.OPEN;
  }

  /** Called when a statement was sent that may end the transaction, or a part of it. */
  void end() {
    checked = FenceRequirement.NOTHING;
    state = State.UNKNOWN;
  }

  /** Called when a message was sent to which the server responds with ReadyForQuery. */
  void endGroup() {
    sent++;
    groupBegun = false;
    state = State.UNKNOWN;
  }

  /**
   * Called when the server will not respond to this many groups, because it ignored their Syncs.
   */
  void unanswered(int groups) {
    answered += groups;
  }

  /** Called when the server has sent ReadyForQuery with this transaction status. */
  void ready(byte status) throws ProtocolViolationException {
    answered++;
    if (status != 'T') {
      checked = FenceRequirement.NOTHING;
    }
    State now =
        switch (status) {
          case 'I' -> State.IDLE;
          case 'T' -> State.OPEN;
          case 'E' -> State.FAILED;
          default ->
              throw new ProtocolViolationException(
                  "the server sent an unknown transaction status.");
        };
    if (answered == sent && !groupBegun) {
      state = now;
    }
  }

  /** Called when the session is ready for its first group. */
  void start() {
    state = State.IDLE;
  }
}

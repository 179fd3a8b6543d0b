package io.portcullis.fencing.protocol;

import io.portcullis.fencing.FencedDatabase;
import io.portcullis.gate.sql.SqlEffect.FenceRequirement;

/**
 * Where the session's transaction stands, and whether the epoch was compared in it.
 *
 * <p>A comparison is trusted within the group of messages in which it was sent, since there nothing
 * runs after a failure; and beyond it only once every group since was answered by "in a
 * transaction". Whatever may have ended the transaction takes it back.
 */
final class TransactionState {
  /** What the server will be in when it reads the next message, unless it skips it. */
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
  private long began;
  private long lastCheckedEpoch;

  /** The number of the group that is being sent. */
  long group() {
    return sent;
  }

  /** Whether the server has answered every group. */
  boolean isSettled() {
    return sent == answered;
  }

  /** Whether the server has answered this group. */
  boolean isAnswered(long group) {
    return answered > group;
  }

  /** The server is outside of any transaction, and nothing is under way. */
  boolean isSurelyIdle() {
    return state == State.IDLE;
  }

  /** The server is inside a transaction that began by itself, or skips what follows. */
  boolean isSurelyOpen() {
    return state == State.OPEN || state == State.FAILED;
  }

  /** The server is inside a transaction that has failed, and refuses all but what ends it. */
  boolean isSurelyFailed() {
    return state == State.FAILED;
  }

  /** Whether this group holds anything yet that belongs to a transaction. */
  boolean isGroupBegun() {
    return groupBegun;
  }

  /** A message that belongs to a transaction is about to be sent. */
  void touch(FencedDatabase site) {
    if (!groupBegun) {
      if (state == State.IDLE) {
        began = site.openEpoch();
      }
      groupBegun = true;
    }
  }

  boolean isChecked(FenceRequirement need) {
    return checked.compareTo(need) >= 0 && (checkedInGroup == sent || isSettled());
  }

  /** The epoch to compare now: the lower of the call's and the transaction's. */
  long epochToCheck(FencedDatabase site) {
    long pinned = site.pinnedEpoch();
    lastCheckedEpoch = pinned > 0 && (began <= 0 || pinned < began) ? pinned : began;
    return lastCheckedEpoch;
  }

  /** The epoch that was compared last. */
  long lastCheckedEpoch() {
    return lastCheckedEpoch;
  }

  /** Whether what was compared last only perhaps writes. */
  boolean isReadOnlyIfStale() {
    return checked == FenceRequirement.READ_ONLY_IF_STALE;
  }

  /** A comparison was sent. */
  void markChecked(FenceRequirement need) {
    checked = need;
    checkedInGroup = sent;
  }

  /** A statement was sent that begins a transaction. */
  void begin() {
    checked = FenceRequirement.NOTHING;
    state = State.OPEN;
  }

  /** A statement was sent that may end the transaction, or a part of it. */
  void end() {
    checked = FenceRequirement.NOTHING;
    state = State.UNKNOWN;
  }

  /** A message was sent that the server answers by being ready. */
  void endGroup() {
    sent++;
    groupBegun = false;
    state = State.UNKNOWN;
  }

  /**
   * The server will not answer that many of the groups, because it took no notice of their ends.
   */
  void unanswered(int groups) {
    answered += groups;
  }

  /** The server is ready. */
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
              throw new ProtocolViolationException("the server is in a state that is not known.");
        };
    if (answered == sent && !groupBegun) {
      state = now;
    }
  }

  /** The session is ready for its first group. */
  void start() {
    state = State.IDLE;
  }
}

package io.portcullis.gate;

import io.portcullis.gate.ElectionGate.LeaderInfo;

/**
 * Thrown when a call was refused because this node may not act; nothing of the call has happened
 * here.
 *
 * <p>Refusals are frequent on a standby, so the exception is cheap: the message is built on demand,
 * and there is no stack trace unless one is configured.
 */
public final class NotLeaderException extends IllegalStateException {
  /** Marks a call that does not require a certain epoch. */
  static final long ANY_EPOCH = -1;

  private static final long serialVersionUID = 1;

  private final String election;
  private final @Nullable String rule;
  private final @Nullable String fence;
  private final long requiredEpoch;
  private final long epoch;
  private final @Nullable String leader;
  private final @Nullable String leaderAddress;

  NotLeaderException(
      ElectionGate gate, @Nullable String rule, long requiredEpoch, boolean stackTrace) {
    this(gate, rule, null, requiredEpoch, stackTrace);
  }

  private NotLeaderException(
      ElectionGate gate,
      @Nullable String rule,
      @Nullable String fence,
      long requiredEpoch,
      boolean stackTrace) {
    LeaderInfo seen = gate.leaderInfo();
    this.election = gate.name();
    this.rule = rule;
    this.fence = fence;
    this.requiredEpoch = requiredEpoch;
    this.epoch = seen.epoch;
    this.leader = seen.leader;
    this.leaderAddress = seen.address;
    if (stackTrace) {
      super.fillInStackTrace();
    }
  }

  /** Creates the exception for a write that the database refused. */
  static NotLeaderException byFence(ElectionGate gate, String fence, long requiredEpoch) {
    return new NotLeaderException(gate, null, fence, requiredEpoch, false);
  }

  /** The election that this node does not lead. */
  public String election() {
    return election;
  }

  /** The id of the rule that refused; null for a fence, or for a call of {@link Leadership}. */
  public @Nullable String rule() {
    return rule;
  }

  /** The highest epoch seen when the call was refused; 0 if none. */
  public long epoch() {
    return epoch;
  }

  /** The identity of the leader last seen, or null if none was known. */
  public @Nullable String leader() {
    return leader;
  }

  /** Address of the leader last seen, or null if that was unknown. */
  public @Nullable String leaderAddress() {
    return leaderAddress;
  }

  @Override
  public String getMessage() {
    return "This node does not lead election '"
        + election
        + "'"
        + (requiredEpoch == ANY_EPOCH ? "" : " under epoch " + requiredEpoch)
        + (rule == null ? "" : ", as rule '" + rule + "' requires")
        + (fence == null ? "; the call was refused. " : refusedByFence())
        + whoLeads();
  }

  private String refusedByFence() {
    return ", as fence '"
        + fence
        + "' requires; the database refused the write"
        + (requiredEpoch == ANY_EPOCH
            ? ", which came from outside any gated method, such as a migration at startup. If every"
                + " node has to write it, set ungated = pass in this fence (docs/fencing.md). "
            : ". ");
  }

  private String whoLeads() {
    if (leader == null) {
      return "No leader is known (highest epoch seen: "
          + epoch
          + "). Retry once one has been elected.";
    }
    String lastSeen = "The leader last seen is " + leader;
    return leaderAddress == null
        ? lastSeen
            + ", which advertises no address, under epoch "
            + epoch
            + ". Send the call to that node, or retry once this one leads."
        : lastSeen
            + ", at "
            + leaderAddress
            + ", under epoch "
            + epoch
            + ". Send the call there, or retry once this node leads.";
  }

  /**
   * Does nothing: the superclass would walk the stack, which is the most expensive part of an
   * exception.
   */
  @Override
  public Throwable fillInStackTrace() {
    return this;
  }
}

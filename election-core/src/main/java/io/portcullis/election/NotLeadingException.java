package io.portcullis.election;

import org.jspecify.annotations.Nullable;

/** This node may not act. Nothing was done; the leader named, if any, can be asked instead. */
public final class NotLeadingException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  private final String election;
  private final @Nullable String leader;
  private final long epoch;

  NotLeadingException(String election, String what, @Nullable String leader, long epoch) {
    super(
        "election "
            + election
            + ": "
            + what
            + "; "
            + (leader == null ? "no leader is known" : leader + " leads")
            + ", last epoch seen "
            + epoch);
    this.election = election;
    this.leader = leader;
    this.epoch = epoch;
  }

  /** The election's name. */
  public String election() {
    return election;
  }

  /** Who leads as far as this node knows, null if it knows of nobody. */
  public @Nullable String leader() {
    return leader;
  }

  /** The highest epoch seen. */
  public long epoch() {
    return epoch;
  }
}

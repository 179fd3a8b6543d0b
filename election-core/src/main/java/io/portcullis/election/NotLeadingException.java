package io.portcullis.election;

import io.portcullis.election.machine.Leader;
import org.jspecify.annotations.Nullable;

/**
 * This node may not act. Nothing was done; the leader named, if any, can be asked instead. Thrown
 * by the library; woven code throws {@code io.portcullis.gate.NotLeaderException}.
 */
public final class NotLeadingException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  private final String election;
  private final @Nullable String leader;
  private final @Nullable String leaderAddress;
  private final long epoch;

  NotLeadingException(String election, String what, @Nullable Leader leader, long epoch) {
    super(
        "election "
            + election
            + ": "
            + what
            + "; "
            + (leader == null ? "no leader is known; retry once one is elected" : whoLeads(leader))
            + ", last epoch seen "
            + epoch);
    this.election = election;
    this.leader = leader == null ? null : leader.identity();
    this.leaderAddress = leader == null ? null : leader.address();
    this.epoch = epoch;
  }

  private static String whoLeads(Leader leader) {
    return leader.identity()
        + " leads"
        + (leader.address() == null ? "" : " at " + leader.address() + ", send the call there");
  }

  /** The election's name. */
  public String election() {
    return election;
  }

  /** Who leads as far as this node knows, null if it knows of nobody. */
  public @Nullable String leader() {
    return leader;
  }

  /** Where the leader can be reached, null if that is not known. */
  public @Nullable String leaderAddress() {
    return leaderAddress;
  }

  /** The highest epoch seen. */
  public long epoch() {
    return epoch;
  }
}

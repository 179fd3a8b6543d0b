package io.portcullis.election;

import io.portcullis.election.machine.Leader;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when this node may not act because it does not lead. Nothing was done; send the call to
 * the named leader, if any. Thrown by the library; woven code throws {@code
 * io.portcullis.gate.NotLeaderException}.
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

  public String election() {
    return election;
  }

  /** Identity of the leader, as far as this node knows; null if unknown. */
  public @Nullable String leader() {
    return leader;
  }

  /** Address of the leader, null if unknown. */
  public @Nullable String leaderAddress() {
    return leaderAddress;
  }

  /** The highest epoch seen. */
  public long epoch() {
    return epoch;
  }
}

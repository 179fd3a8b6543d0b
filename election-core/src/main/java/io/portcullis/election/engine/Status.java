package io.portcullis.election.engine;

import io.portcullis.election.machine.Leader;
import io.portcullis.election.machine.RoleName;
import org.jspecify.annotations.Nullable;

/**
 * What an engine last knew, published as one value after every step.
 *
 * @param role the role; whether the gate is open at this moment is asked of the gate itself
 * @param leader who was last known to lead
 * @param leaderUntilNanos until when that is believed if nothing more is heard, null for oneself
 * @param highestEpoch the highest epoch seen, 0 if none
 * @param sinceMillis since when it has this role, by the wall clock, for people
 * @param why what brought the node into its role
 * @param trouble why the store's last answer said nothing, null if it said something
 * @param degradedReason what keeps this node's part of the store from doing its share, null if
 *     nothing
 * @param stale whether this node follows and has heard nothing of the leader for longer than {@link
 *     io.portcullis.election.config.Timing#stale}
 * @param answered whether the store has ever answered
 * @param running whether the engine takes part; false before its start and after its end
 * @param ordersDone how many orders have been carried out
 * @param failure the bug that ended the engine, null if none did
 * @param counts what was counted so far
 */
public record Status(
    RoleName role,
    @Nullable Leader leader,
    @Nullable Long leaderUntilNanos,
    long highestEpoch,
    long sinceMillis,
    String why,
    @Nullable String trouble,
    @Nullable String degradedReason,
    boolean stale,
    boolean answered,
    boolean running,
    long ordersDone,
    @Nullable Throwable failure,
    ElectionCounts counts) {

  /** Why it is as it is, in one sentence for people: what is wrong goes before what happened. */
  public String explanation() {
    if (trouble == null) {
      return degradedReason == null ? why : degradedReason + "; " + why;
    }
    if (degradedReason != null && degradedReason.contains(trouble)) {
      return degradedReason; // The same thing twice helps nobody.
    }
    return (degradedReason == null ? "" : degradedReason + "; ")
        + "the store gives no answer: "
        + trouble;
  }
}

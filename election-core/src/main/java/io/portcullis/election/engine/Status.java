package io.portcullis.election.engine;

import io.portcullis.election.machine.Leader;
import io.portcullis.election.machine.RoleName;
import org.jspecify.annotations.Nullable;

/**
 * Snapshot of an engine's state, published as one value after every step.
 *
 * @param role the role; the gate itself decides whether it is open at this moment
 * @param leader the last known leader
 * @param leaderUntilNanos until when the leader is assumed to lead without further responses, null
 *     if this node is the leader
 * @param highestEpoch the highest epoch seen, 0 if none
 * @param sinceMillis wall clock time since when the node has this role, for display
 * @param why reason for the role
 * @param trouble why the store's last response was unknown, null if it was not
 * @param degradedReason why this node's part of the store is degraded, null if it is not
 * @param stale whether this node follows and has received no heartbeat from the leader for longer
 *     than {@link io.portcullis.election.config.Timing#stale}
 * @param answered whether the store has ever responded
 * @param running whether the engine participates; false before its start and after its end
 * @param ordersDone number of commands executed
 * @param failure the bug that ended the engine, null if none did
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

  /** Reason for the state in one sentence, for display: errors first, then the last event. */
  public String explanation() {
    if (trouble == null) {
      return degradedReason == null ? why : degradedReason + "; " + why;
    }
    if (degradedReason != null && degradedReason.contains(trouble)) {
      return degradedReason; // Avoids naming the same error twice.
    }
    return (degradedReason == null ? "" : degradedReason + "; ")
        + "the store gives no answer: "
        + trouble;
  }
}

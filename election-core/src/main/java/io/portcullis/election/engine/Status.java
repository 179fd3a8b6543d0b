package io.portcullis.election.engine;

import io.portcullis.election.machine.Leader;
import io.portcullis.election.machine.RoleName;
import org.jspecify.annotations.Nullable;

/**
 * Snapshot of an engine's state, published as one value after every step.
 *
 * @param role the role; the gate itself decides whether it is open at this moment
 * @param sinceMillis wall clock time since when the node has this role, for display
 * @param why reason for the role
 */
public record Status(
    RoleName role,
    long sinceMillis,
    String why,
    LeadershipState leadership,
    StoreState store,
    EngineState engine,
    ElectionCounts counts) {

  /**
   * What this node knows about the leader.
   *
   * @param leader the last known leader
   * @param untilNanos until when the leader is assumed to lead without further responses, null if
   *     this node is the leader
   * @param highestEpoch the highest epoch seen, 0 if none
   */
  public record LeadershipState(
      @Nullable Leader leader, @Nullable Long untilNanos, long highestEpoch) {
    static final LeadershipState UNKNOWN = new LeadershipState(null, null, 0);
  }

  /**
   * How the store works, as seen by this node.
   *
   * @param problem why its last response was unknown, null if it was not
   * @param degradedReason why this node's part of it is degraded, null if it is not
   * @param grantDelay why it grants the lease to no node for now, null if a leader is known or
   *     nothing prevents it
   * @param stale whether this node follows and has received no heartbeat from the leader for longer
   *     than {@link io.portcullis.election.config.Timing#stale}
   * @param answered whether it has ever responded
   */
  public record StoreState(
      @Nullable String problem,
      @Nullable String degradedReason,
      @Nullable String grantDelay,
      boolean stale,
      boolean answered) {
    static final StoreState NOT_ASKED = new StoreState(null, null, null, false, false);
  }

  /**
   * What the engine does.
   *
   * @param running whether it participates; false before its start and after its end
   * @param commandsDone number of commands executed
   * @param failure the bug that ended it, null if none did
   */
  public record EngineState(boolean running, long commandsDone, @Nullable Throwable failure) {
    static final EngineState NOT_STARTED = new EngineState(false, 0, null);

    /** Whether the command with this number has been executed, or never will be. */
    public boolean isDoneWith(long command) {
      return commandsDone >= command || !running;
    }
  }

  /** Status of an engine that has not started. */
  static Status notStarted(long sinceMillis, String why) {
    return new Status(
        RoleName.OFF,
        sinceMillis,
        why,
        LeadershipState.UNKNOWN,
        StoreState.NOT_ASKED,
        EngineState.NOT_STARTED,
        ElectionCounts.NONE);
  }

  /** Whether this node knows a leader, itself included. */
  public boolean knowsLeader() {
    return leadership.leader() != null;
  }

  /** Reason for the state in one sentence, for display: errors first, then the last event. */
  public String explanation() {
    String problem = store.problem();
    String degradedReason = store.degradedReason();
    if (problem == null) {
      String reason = store.grantDelay() == null ? why : store.grantDelay();
      return degradedReason == null ? reason : degradedReason + "; " + reason;
    }
    if (degradedReason != null && degradedReason.contains(problem)) {
      return degradedReason; // Avoids naming the same error twice.
    }
    return (degradedReason == null ? "" : degradedReason + "; ")
        + "the store does not respond: "
        + problem;
  }
}

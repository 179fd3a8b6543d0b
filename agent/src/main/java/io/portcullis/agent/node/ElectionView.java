package io.portcullis.agent.node;

import io.portcullis.election.engine.ElectionCounts;
import io.portcullis.election.machine.RoleName;
import io.portcullis.election.store.StoreFeatures.MemberInfo;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * State of one election as this node sees it at one moment.
 *
 * @param alone true if no store is used and every call passes, since the operator declared this the
 *     only instance
 */
public record ElectionView(
    String name,
    LeadershipView leadership,
    LeaseView lease,
    StoreView store,
    HealthView health,
    ActivityView activity,
    boolean alone) {

  /**
   * Who leads, and what this node is in the election.
   *
   * @param role LEADER only if the gate was open at this moment
   * @param leader the current leader, null if unknown
   * @param leaderAddress the address that the leader advertises, null if none
   * @param epoch on the leader its own epoch, else the highest seen; null if none was seen
   * @param since when it took this role
   * @param why the reason for the role, or why no more is known
   */
  public record LeadershipView(
      RoleName role,
      @Nullable String leader,
      @Nullable String leaderAddress,
      @Nullable Long epoch,
      Instant since,
      String why) {

    /** A node that knows neither a leader nor an epoch. */
    public static LeadershipView withoutLeader(RoleName role, Instant since, String why) {
      return new LeadershipView(role, null, null, null, since, why);
    }
  }

  /**
   * State of the lease.
   *
   * @param lengthMillis how long the gate may stay open after a renewal; 0 if no store is used
   * @param remainingMillis how long the gate stays open without a renewal; 0 unless LEADER
   * @param heartbeatAgeMillis time since the leader's last heartbeat; -1 if none was seen
   * @param stale whether this node follows and that age exceeds the limit of the election's timing
   */
  public record LeaseView(
      long lengthMillis, long remainingMillis, long heartbeatAgeMillis, boolean stale) {
    /** No lease, since no store is used. */
    public static final LeaseView NONE = withoutHeartbeat(0);

    /** A lease of this length that this node does not hold, without any heartbeat so far. */
    public static LeaseView withoutHeartbeat(long lengthMillis) {
      return new LeaseView(lengthMillis, 0, -1, false);
    }
  }

  /**
   * The store, as far as this node knows it.
   *
   * @param backend the kind of store
   * @param answered whether it has ever responded
   * @param degradedReason why this node's part of the store is degraded, null if it is not
   * @param members the nodes that the store lists by name, including this one; empty for most
   *     stores
   */
  public record StoreView(
      String backend, boolean answered, @Nullable String degradedReason, List<MemberInfo> members) {

    public StoreView {
      members = List.copyOf(members);
    }
  }

  /**
   * Whether this node is able to lead.
   *
   * @param eligible whether this node's health lets it lead; null if there is no health check
   * @param campaigning false while it waits for rules that must be armed before it may campaign
   * @param failure the bug that ended its engine, null if none did
   */
  public record HealthView(
      @Nullable Boolean eligible, boolean campaigning, @Nullable Throwable failure) {

    /** A node without health checks and without rules to wait for. */
    public static HealthView unchecked(@Nullable Throwable failure) {
      return new HealthView(null, true, failure);
    }
  }

  /**
   * What has happened so far.
   *
   * @param hooks results of hook calls; empty if there are none
   */
  public record ActivityView(ElectionCounts counts, List<HookCount> hooks) {
    /** Nothing has happened. */
    public static final ActivityView NONE = new ActivityView(ElectionCounts.NONE, List.of());

    public ActivityView {
      hooks = List.copyOf(hooks);
    }
  }

  /** Whether this node could act at the moment of the view: as leader or as the only instance. */
  public boolean mayAct() {
    return isLeader() || alone;
  }

  /** Whether this node led at the moment of the view. */
  public boolean isLeader() {
    return leadership.role() == RoleName.LEADER;
  }

  /**
   * Number of hook calls with one result.
   *
   * @param hook started, stopped or new-leader
   * @param result done, failed, timed_out, missing or dropped
   */
  public record HookCount(String hook, String result, long count) {}
}

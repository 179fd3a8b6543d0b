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
 * @param role LEADER only if the gate was open at this moment
 * @param leader the current leader, null if unknown
 * @param leaderAddress the address that the leader advertises, null if none
 * @param epoch on the leader its own epoch, else the highest seen; null if none was seen
 * @param leaseRemainingMillis how long the gate stays open without a renewal; 0 unless LEADER
 * @param heartbeatAgeMillis time since the leader's last heartbeat; -1 if none was seen
 * @param stale whether this node follows and that age exceeds the limit of the election's timing
 * @param backend the kind of store
 * @param since when it took this role
 * @param why the reason for the role, or why no more is known
 * @param degradedReason why this node's part of the store is degraded, null if it is not
 * @param answered whether the store has ever responded
 * @param eligible whether this node's health lets it lead; null if there is no health check
 * @param campaigning false while it waits for rules that must be armed before it may campaign
 * @param failure the bug that ended its engine, null if none did
 * @param hooks results of hook calls; empty if there are none
 * @param alone true if no store is used and every call passes, since the operator declared this the
 *     only instance
 * @param leaseMillis how long the gate may stay open after a renewal; 0 if no store is used
 * @param members the nodes that the store lists by name, including this one; empty for most stores
 */
public record ElectionView(
    String name,
    RoleName role,
    @Nullable String leader,
    @Nullable String leaderAddress,
    @Nullable Long epoch,
    long leaseRemainingMillis,
    long heartbeatAgeMillis,
    boolean stale,
    String backend,
    Instant since,
    String why,
    @Nullable String degradedReason,
    boolean answered,
    @Nullable Boolean eligible,
    boolean campaigning,
    @Nullable Throwable failure,
    ElectionCounts counts,
    List<HookCount> hooks,
    boolean alone,
    long leaseMillis,
    List<MemberInfo> members) {

  public ElectionView {
    hooks = List.copyOf(hooks);
    members = List.copyOf(members);
  }

  /** Whether this node could act at the moment of the view: as leader or as the only instance. */
  public boolean mayAct() {
    return isLeader() || alone;
  }

  /** Whether this node led at the moment of the view. */
  public boolean isLeader() {
    return role == RoleName.LEADER;
  }

  /**
   * Number of hook calls with one result.
   *
   * @param hook started, stopped or new-leader
   * @param result done, failed, timed_out, missing or dropped
   */
  public record HookCount(String hook, String result, long count) {}
}

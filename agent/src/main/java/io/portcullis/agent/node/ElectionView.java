package io.portcullis.agent.node;

import io.portcullis.election.engine.ElectionCounts;
import io.portcullis.election.machine.RoleName;
import io.portcullis.election.store.MemberInfo;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One election as this node sees it at one moment.
 *
 * @param name the election's name
 * @param role the role; LEADER only if the gate was open at this moment
 * @param leader who leads, as far as known
 * @param leaderAddress where the leader can be reached, if it said so
 * @param epoch the own one on the leader, else the highest seen; null if none was
 * @param leaseRemainingMillis how long the gate stays open without a renewal; 0 unless LEADER
 * @param heartbeatAgeMillis how long ago the leader last gave a sign of life; -1 if it never did
 * @param stale whether this node follows and that is longer ago than the election's timing allows
 * @param backend the kind of store
 * @param since since when it has this role
 * @param why what brought it there, or what keeps it from knowing more
 * @param degradedReason what keeps this node's part of the store from doing its share, null if
 *     nothing
 * @param answered whether the store has ever answered
 * @param eligible whether this node's health lets it lead; null if nothing is checked
 * @param campaigning false while it waits for rules it must have before it may campaign
 * @param failure the bug that ended its engine, null if none did
 * @param counts what was counted so far
 * @param hooks what became of the calls of hooks; empty if there are none
 * @param alone true if nobody is asked and every call passes, since the operator said that this is
 *     the only instance
 * @param leaseMillis how long the gate may stay open after a renewal; 0 if nobody is asked
 * @param members the nodes that the store knows by name, this one included; empty for most stores
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

  /** Keeps copies. */
  public ElectionView {
    hooks = List.copyOf(hooks);
    members = List.copyOf(members);
  }

  /** Whether this node was the one to send work to at the moment of the view. */
  public boolean mayAct() {
    return isLeader() || alone;
  }

  /** Whether this node led at the moment of the view. */
  public boolean isLeader() {
    return role == RoleName.LEADER;
  }

  /**
   * How often calls of hooks came to one end.
   *
   * @param hook what they were for: started, stopped or new-leader
   * @param result done, failed, timed_out, missing or dropped
   * @param count how many
   */
  public record HookCount(String hook, String result, long count) {}
}

package io.portcullis.backend.quorum.machine;

import io.portcullis.backend.quorum.machine.QuorumMachine.Succession;
import io.portcullis.backend.quorum.machine.QuorumMessage.Heartbeat;
import io.portcullis.backend.quorum.machine.QuorumMessage.HeartbeatReply;
import io.portcullis.backend.quorum.machine.QuorumMessage.Released;
import io.portcullis.backend.quorum.machine.QuorumMessage.ReleasedReply;
import io.portcullis.backend.quorum.machine.RaftRole.Follower;
import io.portcullis.backend.quorum.machine.RaftRole.RaftLeader;
import io.portcullis.election.store.StoreFeatures.PreferredNode;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Renews and releases leadership of a member that was elected. Each renewal request sends one
 * heartbeat to all members and is granted once a majority has promised in reply to that heartbeat.
 * Heartbeats are sent only for renewal requests, so if the election is stuck or dead the promises
 * expire.
 */
final class LeaderDuties {
  /** A release that waits until a majority has acknowledged it. */
  private record PendingRelease(long ask, VoteTally poll) {}

  private final MemberState state;
  private final Successors successors;
  private @Nullable PendingRelease pendingRelease;

  LeaderDuties(MemberState memberState) {
    this.state = memberState;
    this.successors = new Successors(memberState.config());
  }

  boolean isHeldIn(long term) {
    return state.role() instanceof RaftLeader leader && leader.term() == term;
  }

  /**
   * Starts to lead after an election. The first heartbeat serves the acquire request that started
   * the campaign.
   */
  void enter(long term, @Nullable Long ask, MemberStepContext now) {
    successors.forget();
    sendHeartbeat(term, now.nanos(), ask, now);
  }

  void renew(long ask, long term, MemberStepContext now) {
    if (state.role() instanceof RaftLeader leader && leader.term() == term) {
      state.unknown(leader.ask(), "asked again meanwhile");
      sendHeartbeat(term, leader.confirmedNanos(), ask, now);
    } else {
      state.show(ask, now);
    }
  }

  private void sendHeartbeat(
      long term, long confirmedNanos, @Nullable Long ask, MemberStepContext now) {
    QuorumConfig config = state.config();
    Heartbeat heartbeat =
        new Heartbeat(state.nextSequence(), term, QuorumConfig.wholeMillis(config.lease()));
    VoteTally poll = new VoteTally(config, heartbeat.sequence());
    state.take(new RaftLeader(term, poll, now.nanos(), ask, confirmedNanos));
    state.see(config.self(), term, config.lease(), now.plus(config.lease()));
    poll.count(
        config.self(),
        state.voter().promise(config.self(), heartbeat, config.lease(), now, state.effects()));
    state.toOthers(heartbeat);
  }

  void onHeartbeatReply(int from, HeartbeatReply reply, MemberStepContext now) {
    if (!(state.role() instanceof RaftLeader leader)) {
      return;
    }
    state.hearOf(reply.term(), now);
    state.peers().onReply(from, reply.willing(), reply.priority());
    boolean promised = reply.promised() && reply.term() == leader.term();
    successors.recordResponse(from, reply.willing() && promised, reply.priority(), now);
    if (!leader.poll().isAnsweredBy(reply.sequence())) {
      return;
    }
    leader.poll().count(from, promised);
    if (leader.poll().isWon()) {
      state.take(leader.confirmed());
      state.grant(leader.ask(), leader.term());
    } else if (leader.poll().isLost()) {
      leave(now);
    }
  }

  void passTime(MemberStepContext now) {
    if (state.role() instanceof RaftLeader leader && now.hasReached(endOf(leader))) {
      leave(now);
    }
  }

  private long endOf(RaftLeader leader) {
    return leader.confirmedNanos() + state.config().lease().toNanos();
  }

  OptionalLong wakeAtNanos() {
    return state.role() instanceof RaftLeader leader
        ? OptionalLong.of(endOf(leader))
        : OptionalLong.empty();
  }

  /**
   * Stops leading, for good in this term. Responds to the pending request with the known leader.
   */
  void leave(MemberStepContext now) {
    if (state.role() instanceof RaftLeader leader) {
      state.take(new Follower());
      state.end(leader.term());
      state.show(leader.ask(), now);
    }
  }

  /** The connection to this member is lost, so it can't be named as the successor. */
  void unlinked(int member) {
    successors.forget(member);
  }

  Succession succession(MemberStepContext now) {
    return state.role() instanceof RaftLeader
        ? successors.succession(state.peers(), now)
        : Succession.NONE;
  }

  /**
   * Ends all promises to this leader and names a successor. Called once the election's gate is
   * shut.
   *
   * @param wanted the id of the member to name; null for the best of those that want to lead
   */
  void release(long ask, long term, @Nullable String wanted, MemberStepContext now) {
    if (!isHeldIn(term)) {
      state.show(ask, now);
      return;
    }
    leave(now);
    state.voter().release(state.config().self(), term);
    VoteTally poll = new VoteTally(state.config(), state.nextSequence());
    poll.count(state.config().self(), true);
    pendingRelease = new PendingRelease(ask, poll);
    int named = wanted == null ? -1 : state.config().members().indexOf(wanted);
    int next = named < 0 ? state.peers().bestSuccessor() : named;
    state.toOthers(new Released(poll.sequence(), term, next));
  }

  void onReleasedReply(int from, ReleasedReply reply, MemberStepContext now) {
    PendingRelease release = pendingRelease;
    if (release == null || !release.poll().isAnsweredBy(reply.sequence())) {
      return;
    }
    release.poll().count(from, true);
    if (release.poll().isWon()) {
      pendingRelease = null;
      state.show(release.ask(), now);
    }
  }

  /**
   * Members that follow this leader and want to lead next, from their heartbeat replies. Used only
   * to choose the successor named in a release.
   */
  static final class Successors {
    /** A member whose last reply is older than this fraction of a lease is not named. */
    private static final int FRESH_LEASE_DIVISOR = 3;

    /**
     * A member that promises and wants to lead.
     *
     * @param sinceNanos since when it has done so without interruption
     * @param heardNanos when it last confirmed it
     */
    private record Successor(int member, int priority, long sinceNanos, long heardNanos) {}

    private final QuorumConfig config;
    private final Map<Integer, Successor> byMember = new HashMap<>();

    Successors(QuorumConfig config) {
      this.config = config;
    }

    /** Starts a new tenure: replies from an earlier tenure are outdated. */
    void forget() {
      byMember.clear();
    }

    void forget(int member) {
      byMember.remove(member);
    }

    /** Records a heartbeat reply, which shows whether this member could be the successor. */
    void recordResponse(int member, boolean couldFollow, int priority, MemberStepContext now) {
      Successor previous = byMember.get(member);
      if (!couldFollow) {
        byMember.remove(member);
      } else if (previous == null || !isFresh(previous, now) || previous.priority() != priority) {
        byMember.put(member, new Successor(member, priority, now.nanos(), now.nanos()));
      } else {
        byMember.put(member, new Successor(member, priority, previous.sinceNanos(), now.nanos()));
      }
    }

    private boolean isFresh(Successor successor, MemberStepContext now) {
      return now.nanos() - successor.heardNanos() <= config.lease().toNanos() / FRESH_LEASE_DIVISOR;
    }

    /** Evaluates every other member as a possible successor. */
    Succession succession(Peers peers, MemberStepContext now) {
      Map<String, String> objections = new HashMap<>();
      for (int member = 0; member < config.size(); member++) {
        if (member != config.self()) {
          objections.put(config.members().get(member), objection(member, peers, now));
        }
      }
      PreferredNode preferred =
          byMember.values().stream()
              .filter(
                  successor -> successor.priority() > config.priority() && isFresh(successor, now))
              .max(Comparator.comparingInt(Successor::priority).thenComparingInt(Successor::member))
              .map(
                  successor ->
                      new PreferredNode(
                          config.members().get(successor.member()), successor.sinceNanos()))
              .orElse(null);
      return new Succession(objections, preferred);
    }

    private String objection(int member, Peers peers, MemberStepContext now) {
      if (!peers.linked().contains(member)) {
        return "there is no link with that member";
      }
      Successor successor = byMember.get(member);
      if (successor == null) {
        return "that member does not want to lead, or does not follow this leader yet: it is a"
            + " witness, drained, not eligible, just starting, or can't vote";
      }
      return isFresh(successor, now) ? "" : "that member has not acknowledged a heartbeat lately";
    }
  }
}

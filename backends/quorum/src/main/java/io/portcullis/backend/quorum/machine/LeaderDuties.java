package io.portcullis.backend.quorum.machine;

import io.portcullis.backend.quorum.machine.QuorumMachine.Succession;
import io.portcullis.backend.quorum.machine.QuorumMessage.Heartbeat;
import io.portcullis.backend.quorum.machine.QuorumMessage.HeartbeatReply;
import io.portcullis.backend.quorum.machine.QuorumMessage.Released;
import io.portcullis.backend.quorum.machine.QuorumMessage.ReleasedReply;
import io.portcullis.backend.quorum.machine.RaftRole.Follower;
import io.portcullis.backend.quorum.machine.RaftRole.Leader;
import io.portcullis.election.store.PreferredNode;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * How a member leads: each question for the lease is one heartbeat to all, granted once a majority
 * has promised upon that very heartbeat. Nobody asks, and it is silent: its promises run out.
 */
final class LeaderDuties {
  /** A release that waits for a majority to hear of it. */
  private record PendingRelease(long ask, VoteTally poll) {}

  private final MemberState state;
  private final Successors successors;
  private @Nullable PendingRelease pendingRelease;

  LeaderDuties(MemberState seat) {
    this.state = seat;
    this.successors = new Successors(seat.config());
  }

  boolean isHeldIn(long term) {
    return state.role() instanceof Leader leader && leader.term() == term;
  }

  /** Elected. The first heartbeat goes out for the question that made it stand. */
  void enter(long term, @Nullable Long ask, MemberStepContext now) {
    successors.forget();
    sendHeartbeat(term, now.nanos(), ask, now);
  }

  void renew(long ask, long term, MemberStepContext now) {
    if (state.role() instanceof Leader leader && leader.term() == term) {
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
    state.take(new Leader(term, poll, now.nanos(), ask, confirmedNanos));
    state.see(config.self(), term, config.lease(), now.plus(config.lease()));
    poll.count(
        config.self(),
        state.voter().promise(config.self(), heartbeat, config.lease(), now, state.effects()));
    state.toOthers(heartbeat);
  }

  void onHeartbeatReply(int from, HeartbeatReply reply, MemberStepContext now) {
    if (!(state.role() instanceof Leader leader)) {
      return;
    }
    state.hearOf(reply.term(), now);
    state.peers().onReply(from, reply.willing(), reply.priority());
    boolean promised = reply.promised() && reply.term() == leader.term();
    successors.hear(from, reply.willing() && promised, reply.priority(), now);
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
    if (state.role() instanceof Leader leader && now.hasReached(endOf(leader))) {
      leave(now);
    }
  }

  private long endOf(Leader leader) {
    return leader.confirmedNanos() + state.config().lease().toNanos();
  }

  OptionalLong wakeAtNanos() {
    return state.role() instanceof Leader leader
        ? OptionalLong.of(endOf(leader))
        : OptionalLong.empty();
  }

  /** Leads no more, and never again in this term. That answers whatever was asked of the lease. */
  void leave(MemberStepContext now) {
    if (state.role() instanceof Leader leader) {
      state.take(new Follower());
      state.end(leader.term());
      state.show(leader.ask(), now);
    }
  }

  /** There is no way to this member: it can't be named. */
  void unlinked(int member) {
    successors.forget(member);
  }

  /** Who could follow. */
  Succession succession(MemberStepContext now) {
    return state.role() instanceof Leader
        ? successors.succession(state.peers(), now)
        : Succession.NONE;
  }

  /**
   * The election's gate is shut: gives everybody's promise back, and names who should follow.
   *
   * @param wanted the id of the member to be named; null for the best of those that want to lead
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
    PendingRelease leaving = pendingRelease;
    if (leaving == null || !leaving.poll().isAnsweredBy(reply.sequence())) {
      return;
    }
    leaving.poll().count(from, true);
    if (leaving.poll().isWon()) {
      pendingRelease = null;
      state.show(leaving.ask(), now);
    }
  }

  /**
   * The members that follow this leader and would lead in turn, as their acknowledgements of its
   * heartbeats tell. It decides who is named when the leader lets go, and nothing else.
   */
  static final class Successors {
    /** Who has not been heard for this share of a lease is not well enough to be named. */
    private static final int FRESH_LEASE_DIVISOR = 3;

    /**
     * A member that promises and wants to lead.
     *
     * @param sinceNanos since when it does so without a break
     * @param heardNanos when it last said so
     */
    private record Successor(int member, int priority, long sinceNanos, long heardNanos) {}

    private final QuorumConfig config;
    private final Map<Integer, Successor> byMember = new HashMap<>();

    Successors(QuorumConfig config) {
      this.config = config;
    }

    /** A new tenure: what was heard in an earlier one is old. */
    void forget() {
      byMember.clear();
    }

    void forget(int member) {
      byMember.remove(member);
    }

    /** An acknowledgement, which tells whether this member could follow. */
    void hear(int member, boolean couldFollow, int priority, MemberStepContext now) {
      Successor before = byMember.get(member);
      if (!couldFollow) {
        byMember.remove(member);
      } else if (before == null || !isFresh(before, now) || before.priority() != priority) {
        byMember.put(member, new Successor(member, priority, now.nanos(), now.nanos()));
      } else {
        byMember.put(member, new Successor(member, priority, before.sinceNanos(), now.nanos()));
      }
    }

    private boolean isFresh(Successor heir, MemberStepContext now) {
      return now.nanos() - heir.heardNanos() <= config.lease().toNanos() / FRESH_LEASE_DIVISOR;
    }

    /** How it stands with each member. */
    Succession succession(Peers peers, MemberStepContext now) {
      Map<String, String> objections = new HashMap<>();
      for (int member = 0; member < config.size(); member++) {
        if (member != config.self()) {
          objections.put(config.members().get(member), objection(member, peers, now));
        }
      }
      PreferredNode preferred =
          byMember.values().stream()
              .filter(heir -> heir.priority() > config.priority() && isFresh(heir, now))
              .max(Comparator.comparingInt(Successor::priority).thenComparingInt(Successor::member))
              .map(
                  heir -> new PreferredNode(config.members().get(heir.member()), heir.sinceNanos()))
              .orElse(null);
      return new Succession(objections, preferred);
    }

    private String objection(int member, Peers peers, MemberStepContext now) {
      if (!peers.linked().contains(member)) {
        return "there is no link with that member";
      }
      Successor heir = byMember.get(member);
      if (heir == null) {
        return "that member does not want to lead, or does not follow this leader yet: it is a"
            + " witness, drained, not eligible, just starting, or can't vote";
      }
      return isFresh(heir, now) ? "" : "that member has not acknowledged a heartbeat lately";
    }
  }
}

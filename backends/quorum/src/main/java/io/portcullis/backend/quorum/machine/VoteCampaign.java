package io.portcullis.backend.quorum.machine;

import io.portcullis.backend.quorum.machine.QuorumMessage.PreVote;
import io.portcullis.backend.quorum.machine.QuorumMessage.PreVoteReply;
import io.portcullis.backend.quorum.machine.QuorumMessage.RequestVote;
import io.portcullis.backend.quorum.machine.QuorumMessage.VoteReply;
import io.portcullis.backend.quorum.machine.RaftRole.Campaigning;
import io.portcullis.backend.quorum.machine.RaftRole.Candidate;
import io.portcullis.backend.quorum.machine.RaftRole.Follower;
import io.portcullis.backend.quorum.machine.RaftRole.PreCandidate;
import io.portcullis.election.store.EpochRangeException;
import java.time.Duration;
import java.util.Comparator;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Runs elections for a member: it waits a random time, asks with a pre-vote whether it would be
 * elected, and only then requests votes. A failed round is reported to the election, which may ask
 * again.
 */
final class VoteCampaign {
  /**
   * A pending request of the election for the lease.
   *
   * @param ask id of the request to respond to
   * @param floor the highest epoch the election has seen
   */
  private record PendingAcquire(long ask, long floor) {}

  /**
   * Order of members that pre-vote at the same time; the one that compares lower yields. It never
   * affects a vote. Uptime decides only between two processes with the id of one member, which the
   * network keeps apart: one of them gets no connection.
   */
  record CandidateRank(int priority, String id, long uptimeSeconds)
      implements Comparable<CandidateRank> {
    private static final Comparator<CandidateRank> ORDER =
        Comparator.comparingInt(CandidateRank::priority)
            .thenComparing(CandidateRank::id)
            .thenComparingLong(CandidateRank::uptimeSeconds);

    @Override
    public int compareTo(CandidateRank other) {
      return ORDER.compare(this, other);
    }
  }

  private final MemberState state;
  private final LeaderDuties leaderDuties;
  private @Nullable PendingAcquire pendingAcquire;
  private boolean mayYield = true;
  private boolean hinted;
  private long notBeforeNanos;

  VoteCampaign(MemberState state, LeaderDuties leaderDuties, MemberStepContext now) {
    this.state = state;
    this.leaderDuties = leaderDuties;
    pause(now);
  }

  /** Delays the next round by a random time, so that other members can campaign first. */
  void pause(MemberStepContext now) {
    notBeforeNanos = now.nanos() + state.config().timeoutNanos(now.chance());
    hinted = false;
  }

  /** Campaigns without delay because the last leader named this member as its successor. */
  void hurry(MemberStepContext now) {
    notBeforeNanos = now.nanos();
  }

  void want(long ask, long floor) {
    pendingAcquire = new PendingAcquire(ask, floor);
    hinted = false;
  }

  /** Drops the pending request because the election sent another one. */
  void forget() {
    if (pendingAcquire != null) {
      state.unknown(pendingAcquire.ask(), "asked again meanwhile");
      pendingAcquire = null;
    }
  }

  void passTime(MemberStepContext now) {
    if (state.role() instanceof Campaigning standing && now.hasReached(standing.endsAtNanos())) {
      lose(standing, now);
    }
  }

  /**
   * Starts a round if one is requested and allowed; otherwise notifies the election once that it
   * may ask.
   */
  void proceed(MemberStepContext now) {
    if (!isFree(now) || !now.hasReached(notBeforeNanos)) {
      return;
    }
    if (pendingAcquire != null) {
      startPreVote(pendingAcquire, now);
    } else if (!hinted) {
      hinted = true;
      state.hint();
    }
  }

  private boolean isFree(MemberStepContext now) {
    return state.config().process().candidate()
        && state.role() instanceof Follower
        && state.voter().isFree()
        && !state.knowsLiveLeader(now);
  }

  OptionalLong wakeAtNanos(MemberStepContext now) {
    if (state.role() instanceof Campaigning standing) {
      return OptionalLong.of(standing.endsAtNanos());
    }
    return isFree(now) && (pendingAcquire != null || !hinted)
        ? OptionalLong.of(notBeforeNanos)
        : OptionalLong.empty();
  }

  private void startPreVote(PendingAcquire asked, MemberStepContext now) {
    long term;
    try {
      term = state.nextTerm(asked.floor(), now);
    } catch (EpochRangeException e) {
      pendingAcquire = null;
      pause(now);
      state.unknown(asked.ask(), noTerm(e));
      return;
    }
    long sequence = state.nextSequence();
    state.take(new PreCandidate(term, ownPoll(sequence), endOfRound(now)));
    state.toOthers(
        new PreVote(sequence, term, state.config().priority(), state.uptimeSeconds(now)));
  }

  /** Explains that no member of this quorum can reach a term above the known one. */
  private String noTerm(EpochRangeException why) {
    return why.sentence(
        "the highest epoch known to this member of " + state.config().cluster(),
        "rm ballot (on every member, in its folder in quorum.data-dir)");
  }

  private void requestVotes(PreCandidate asked, MemberStepContext now) {
    RequestVote request = new RequestVote(state.nextSequence(), asked.term());
    if (!state.voter().vote(state.config().selfId(), request, state.effects())) {
      lose(asked, now); // It has voted for another member since its pre-vote.
      return;
    }
    state.take(new Candidate(asked.term(), ownPoll(request.sequence()), endOfRound(now)));
    state.toOthers(request);
  }

  private VoteTally ownPoll(long sequence) {
    VoteTally poll = new VoteTally(state.config(), sequence);
    poll.count(state.config().self(), true);
    return poll;
  }

  private long endOfRound(MemberStepContext now) {
    return now.nanos() + state.config().timeoutNanos(now.chance());
  }

  void onPreVoteReply(int from, PreVoteReply reply, MemberStepContext now) {
    if (!(state.role() instanceof PreCandidate asking)
        || !asking.poll().isAnsweredBy(reply.sequence())) {
      return;
    }
    state.hearOf(reply.term(), now);
    waitForReportedLeader(reply, now);
    asking.poll().count(from, reply.granted());
    if (asking.poll().isWon()) {
      requestVotes(asking, now);
    } else if (asking.poll().isLost()) {
      lose(asking, now);
    }
  }

  /** Waits for a leader to which others are bound but from which this member receives nothing. */
  private void waitForReportedLeader(PreVoteReply reply, MemberStepContext now) {
    QuorumConfig config = state.config();
    boolean namesLeader = reply.leader() >= 0 && reply.leader() < config.size();
    if (namesLeader
        && reply.leader() != config.self()
        && reply.remainingMillis() <= QuorumConfig.MAX_LEASE.toMillis()
        && state.voter().findsCredible(reply.leaderTerm(), now)) {
      long until = now.plus(Duration.ofMillis(reply.remainingMillis()));
      state.see(reply.leader(), reply.leaderTerm(), config.lease(), until);
    }
  }

  void onVoteReply(int from, VoteReply reply, MemberStepContext now) {
    if (!(state.role() instanceof Candidate candidate)
        || !candidate.poll().isAnsweredBy(reply.sequence())) {
      return;
    }
    state.hearOf(reply.term(), now);
    candidate.poll().count(from, reply.granted() && reply.term() == candidate.term());
    if (candidate.poll().isWon()) {
      PendingAcquire asked = pendingAcquire;
      pendingAcquire = null;
      mayYield = true;
      leaderDuties.enter(candidate.term(), asked == null ? null : asked.ask(), now);
    } else if (candidate.poll().isLost()) {
      lose(candidate, now);
    }
  }

  /** Ends a round that was not won. If no majority replied, the leader is unknown. */
  private void lose(Campaigning standing, MemberStepContext now) {
    state.take(new Follower());
    mayYield = true;
    pause(now);
    Long ask = pendingAcquire == null ? null : Long.valueOf(pendingAcquire.ask());
    pendingAcquire = null;
    state.roundIsOver(standing.poll());
    if (standing.poll().isHeard()) {
      state.show(ask, now);
    } else {
      state.unknown(ask, state.peers().whyNoMajority(standing.poll()));
    }
  }

  /** Ends this member's pre-vote in favour of another member that ranks higher. */
  void yieldTo(int other, PreVote asked, MemberStepContext now) {
    if (mayYield && state.role() instanceof PreCandidate && isOutrankedBy(other, asked, now)) {
      mayYield =
          false; // Once per round: a member that sends but can't receive must not block the others.
      state.take(new Follower());
      pause(now);
    }
  }

  private boolean isOutrankedBy(int other, PreVote asked, MemberStepContext now) {
    QuorumConfig config = state.config();
    CandidateRank own =
        new CandidateRank(config.priority(), config.selfId(), state.uptimeSeconds(now));
    CandidateRank theirs =
        new CandidateRank(asked.priority(), config.members().get(other), asked.uptimeSeconds());
    return theirs.compareTo(own) > 0;
  }

  /** Ends this member's round because it has given its vote or promise to another member. */
  void standBack(MemberStepContext now) {
    if (state.role() instanceof Campaigning) {
      state.take(new Follower());
    }
    pause(now);
  }

  /** Responds to the pending request with the leader that was just seen. */
  void onLeaderSeen(MemberStepContext now) {
    mayYield = true;
    Long ask = pendingAcquire == null ? null : Long.valueOf(pendingAcquire.ask());
    pendingAcquire = null;
    state.show(ask, now);
  }
}

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
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * How a member comes to lead: it waits a while drawn at random, asks whether it would be elected,
 * and only then stands. A round that fails is told to the election, which may ask again.
 */
final class VoteCampaign {
  /**
   * The election's wish to lead.
   *
   * @param ask the question to be answered
   * @param floor the highest epoch the election has seen
   */
  private record PendingAcquire(long ask, long floor) {}

  private final MemberState state;
  private final LeaderDuties leaderDuties;
  private @Nullable PendingAcquire pendingAcquire;
  private boolean mayYield = true;
  private boolean hinted;
  private long notBeforeNanos;

  VoteCampaign(MemberState seat, LeaderDuties office, MemberStepContext now) {
    this.state = seat;
    this.leaderDuties = office;
    pause(now);
  }

  /** Leaves the others a while drawn at random before the next round. */
  void pause(MemberStepContext now) {
    notBeforeNanos = now.nanos() + state.config().timeoutNanos(now.chance());
    hinted = false;
  }

  /** Named as the next leader by the last one. */
  void hurry(MemberStepContext now) {
    notBeforeNanos = now.nanos();
  }

  void want(long ask, long floor) {
    pendingAcquire = new PendingAcquire(ask, floor);
    hinted = false;
  }

  /** The election asks for something else. */
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

  /** Begins what may begin now. */
  void proceed(MemberStepContext now) {
    if (!isFree(now) || !now.hasReached(notBeforeNanos)) {
      return;
    }
    if (pendingAcquire != null) {
      askAround(pendingAcquire, now);
    } else if (!hinted) {
      hinted = true;
      state.hint();
    }
  }

  private boolean isFree(MemberStepContext now) {
    return state.config().candidate()
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

  private void askAround(PendingAcquire asked, MemberStepContext now) {
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

  /** No member of this quorum can come to a term above the one that is known. */
  private String noTerm(EpochRangeException why) {
    return why.sentence(
        "the highest epoch known to this member of " + state.config().cluster(),
        "rm ballot (on every member, in its folder in quorum.data-dir)");
  }

  private void stand(PreCandidate asked, MemberStepContext now) {
    RequestVote request = new RequestVote(state.nextSequence(), asked.term());
    if (!state.voter().vote(state.config().selfId(), request, state.effects())) {
      lose(asked, now); // It has voted for another since it began to ask.
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
      stand(asking, now);
    } else if (asking.poll().isLost()) {
      lose(asking, now);
    }
  }

  /** Others are bound to a leader that this member does not hear: wait with them. */
  private void waitForReportedLeader(PreVoteReply reply, MemberStepContext now) {
    QuorumConfig config = state.config();
    boolean names = reply.leader() >= 0 && reply.leader() < config.size();
    if (names
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

  /** Ends a round without a result. If too few even answered, nobody knows who leads. */
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

  /** Another member stands that is to be preferred: leaves it the field. */
  void yieldTo(int other, PreVote asked, MemberStepContext now) {
    if (mayYield && state.role() instanceof PreCandidate && isOutrankedBy(other, asked, now)) {
      mayYield = false; // Once a round: who speaks but can't hear must not hold up the others.
      state.take(new Follower());
      pause(now);
    }
  }

  /** By priority, then by name, then by time of service. It never moves a vote. */
  private boolean isOutrankedBy(int other, PreVote asked, MemberStepContext now) {
    QuorumConfig config = state.config();
    if (asked.priority() != config.priority()) {
      return asked.priority() > config.priority();
    }
    int byName = config.members().get(other).compareTo(config.selfId());
    return byName != 0 ? byName > 0 : asked.uptimeSeconds() > state.uptimeSeconds(now);
  }

  /** Its vote or its promise is another's: no round of its own goes on. */
  void standBack(MemberStepContext now) {
    if (state.role() instanceof Campaigning) {
      state.take(new Follower());
    }
    pause(now);
  }

  /** A leader is heard: that answers the wish. */
  void onLeaderSeen(MemberStepContext now) {
    mayYield = true;
    Long ask = pendingAcquire == null ? null : Long.valueOf(pendingAcquire.ask());
    pendingAcquire = null;
    state.show(ask, now);
  }
}

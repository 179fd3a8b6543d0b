package io.portcullis.backend.quorum.machine;

import io.portcullis.backend.quorum.machine.QuorumMessage.PreVote;
import io.portcullis.backend.quorum.machine.QuorumMessage.PreVoteReply;
import io.portcullis.backend.quorum.machine.QuorumMessage.RequestVote;
import io.portcullis.backend.quorum.machine.QuorumMessage.VoteReply;
import io.portcullis.backend.quorum.machine.RaftRole.Candidate;
import io.portcullis.backend.quorum.machine.RaftRole.Follower;
import io.portcullis.backend.quorum.machine.RaftRole.PreCandidate;
import io.portcullis.backend.quorum.machine.RaftRole.Standing;
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
  private record Wish(long ask, long floor) {}

  private final MemberState seat;
  private final LeaderDuties office;
  private @Nullable Wish wish;
  private boolean mayYield = true;
  private boolean hinted;
  private long notBeforeNanos;

  VoteCampaign(MemberState seat, LeaderDuties office, MemberStepContext now) {
    this.seat = seat;
    this.office = office;
    pause(now);
  }

  /** Leaves the others a while drawn at random before the next round. */
  void pause(MemberStepContext now) {
    notBeforeNanos = now.nanos() + seat.config().timeoutNanos(now.chance());
    hinted = false;
  }

  /** Named as the next leader by the last one. */
  void hurry(MemberStepContext now) {
    notBeforeNanos = now.nanos();
  }

  void want(long ask, long floor) {
    wish = new Wish(ask, floor);
    hinted = false;
  }

  /** The election asks for something else. */
  void forget() {
    if (wish != null) {
      seat.unknown(wish.ask(), "asked again meanwhile");
      wish = null;
    }
  }

  void passTime(MemberStepContext now) {
    if (seat.stance() instanceof Standing standing && now.hasReached(standing.endsAtNanos())) {
      lose(standing, now);
    }
  }

  /** Begins what may begin now. */
  void proceed(MemberStepContext now) {
    if (!isFree(now) || !now.hasReached(notBeforeNanos)) {
      return;
    }
    if (wish != null) {
      askAround(wish, now);
    } else if (!hinted) {
      hinted = true;
      seat.hint();
    }
  }

  private boolean isFree(MemberStepContext now) {
    return seat.config().candidate()
        && seat.stance() instanceof Follower
        && seat.voter().isFree()
        && !seat.seesALeader(now);
  }

  OptionalLong wakeAtNanos(MemberStepContext now) {
    if (seat.stance() instanceof Standing standing) {
      return OptionalLong.of(standing.endsAtNanos());
    }
    return isFree(now) && (wish != null || !hinted)
        ? OptionalLong.of(notBeforeNanos)
        : OptionalLong.empty();
  }

  private void askAround(Wish asked, MemberStepContext now) {
    long term;
    try {
      term = seat.nextTerm(asked.floor(), now);
    } catch (EpochRangeException e) {
      wish = null;
      pause(now);
      seat.unknown(asked.ask(), noTerm(e));
      return;
    }
    long sequence = seat.nextSequence();
    seat.take(new PreCandidate(term, ownPoll(sequence), endOfRound(now)));
    seat.toOthers(new PreVote(sequence, term, seat.config().priority(), seat.uptimeSeconds(now)));
  }

  /** No member of this quorum can come to a term above the one that is known. */
  private String noTerm(EpochRangeException why) {
    return why.sentence(
        "the highest epoch known to this member of " + seat.config().cluster(),
        "rm ballot (on every member, in its folder in quorum.data-dir)");
  }

  private void stand(PreCandidate asked, MemberStepContext now) {
    RequestVote request = new RequestVote(seat.nextSequence(), asked.term());
    if (!seat.voter().vote(seat.config().selfId(), request, seat.effects())) {
      lose(asked, now); // It has voted for another since it began to ask.
      return;
    }
    seat.take(new Candidate(asked.term(), ownPoll(request.sequence()), endOfRound(now)));
    seat.toOthers(request);
  }

  private VoteTally ownPoll(long sequence) {
    VoteTally poll = new VoteTally(seat.config(), sequence);
    poll.count(seat.config().self(), true);
    return poll;
  }

  private long endOfRound(MemberStepContext now) {
    return now.nanos() + seat.config().timeoutNanos(now.chance());
  }

  void onPreVoteReply(int from, PreVoteReply reply, MemberStepContext now) {
    if (!(seat.stance() instanceof PreCandidate asking)
        || !asking.poll().isAnsweredBy(reply.sequence())) {
      return;
    }
    seat.hearOf(reply.term(), now);
    hearSay(reply, now);
    asking.poll().count(from, reply.granted());
    if (asking.poll().isWon()) {
      stand(asking, now);
    } else if (asking.poll().isLost()) {
      lose(asking, now);
    }
  }

  /** Others are bound to a leader that this member does not hear: wait with them. */
  private void hearSay(PreVoteReply reply, MemberStepContext now) {
    QuorumConfig config = seat.config();
    boolean names = reply.leader() >= 0 && reply.leader() < config.size();
    if (names
        && reply.leader() != config.self()
        && reply.remainingMillis() <= QuorumConfig.MAX_LEASE.toMillis()
        && seat.voter().findsCredible(reply.leaderTerm(), now)) {
      long until = now.plus(Duration.ofMillis(reply.remainingMillis()));
      seat.see(reply.leader(), reply.leaderTerm(), config.lease(), until);
    }
  }

  void onVoteReply(int from, VoteReply reply, MemberStepContext now) {
    if (!(seat.stance() instanceof Candidate candidate)
        || !candidate.poll().isAnsweredBy(reply.sequence())) {
      return;
    }
    seat.hearOf(reply.term(), now);
    candidate.poll().count(from, reply.granted() && reply.term() == candidate.term());
    if (candidate.poll().isWon()) {
      Wish asked = wish;
      wish = null;
      mayYield = true;
      office.enter(candidate.term(), asked == null ? null : asked.ask(), now);
    } else if (candidate.poll().isLost()) {
      lose(candidate, now);
    }
  }

  /** Ends a round without a result. If too few even answered, nobody knows who leads. */
  private void lose(Standing standing, MemberStepContext now) {
    seat.take(new Follower());
    mayYield = true;
    pause(now);
    Long ask = wish == null ? null : Long.valueOf(wish.ask());
    wish = null;
    seat.roundIsOver(standing.poll());
    if (standing.poll().isHeard()) {
      seat.show(ask, now);
    } else {
      seat.unknown(ask, seat.peers().whyNoMajority(standing.poll()));
    }
  }

  /** Another member stands that is to be preferred: leaves it the field. */
  void yieldTo(int other, PreVote asked, MemberStepContext now) {
    if (mayYield && seat.stance() instanceof PreCandidate && isOutrankedBy(other, asked, now)) {
      mayYield = false; // Once a round: who speaks but can't hear must not hold up the others.
      seat.take(new Follower());
      pause(now);
    }
  }

  /** By priority, then by name, then by time of service. It never moves a vote. */
  private boolean isOutrankedBy(int other, PreVote asked, MemberStepContext now) {
    QuorumConfig config = seat.config();
    if (asked.priority() != config.priority()) {
      return asked.priority() > config.priority();
    }
    int byName = config.members().get(other).compareTo(config.selfId());
    return byName != 0 ? byName > 0 : asked.uptimeSeconds() > seat.uptimeSeconds(now);
  }

  /** Its vote or its promise is another's: no round of its own goes on. */
  void standBack(MemberStepContext now) {
    if (seat.stance() instanceof Standing) {
      seat.take(new Follower());
    }
    pause(now);
  }

  /** A leader is heard: that answers the wish. */
  void giveWay(MemberStepContext now) {
    mayYield = true;
    Long ask = wish == null ? null : Long.valueOf(wish.ask());
    wish = null;
    seat.show(ask, now);
  }
}

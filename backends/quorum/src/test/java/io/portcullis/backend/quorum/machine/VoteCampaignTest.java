package io.portcullis.backend.quorum.machine;

import static io.portcullis.backend.quorum.machine.MachineDriverBuilder.A;
import static io.portcullis.backend.quorum.machine.MachineDriverBuilder.C;
import static io.portcullis.backend.quorum.machine.MachineDriverBuilder.LEASE;
import static io.portcullis.backend.quorum.machine.MachineDriverBuilder.ROUND;
import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.backend.quorum.machine.QuorumMessage.Heartbeat;
import io.portcullis.backend.quorum.machine.QuorumMessage.PreVote;
import io.portcullis.backend.quorum.machine.QuorumMessage.PreVoteReply;
import io.portcullis.backend.quorum.machine.QuorumMessage.Released;
import io.portcullis.backend.quorum.machine.QuorumMessage.RequestVote;
import io.portcullis.backend.quorum.machine.QuorumMessage.VoteReply;
import io.portcullis.election.store.LeaseResponse;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests how a member campaigns: pre-vote, vote, and the end of a round. */
class VoteCampaignTest {
  @Test
  void preVotePrecedesRaisingTheTerm() {
    MachineDriver member = MachineDriverBuilder.of(3).voterIn(4).acquire();
    assertThat(member.sent(PreVote.class)).isEmpty();

    member.after(ROUND).tick();

    assertThat(member.sent(PreVote.class)).hasSize(2).allMatch(preVote -> preVote.term() == 5);
    assertThat(member.onDisk()).isEqualTo(new HardState(4, null, Duration.ZERO));
  }

  @Test
  void newTermIsAboveTheHighestEpochOfTheElection() {
    MachineDriver member =
        MachineDriverBuilder.of(3).voterIn(4).acquireAbove(8).after(ROUND).tick();

    assertThat(member.newest(PreVote.class).term()).isEqualTo(9);
  }

  @Test
  void newTermIsAboveTheCurrentUnixSecond() {
    MachineDriver member = MachineDriverBuilder.of(3).voterIn(4).atUnixSecond(1_700_000_000L);

    member.acquire().after(ROUND).tick();

    assertThat(member.newest(PreVote.class).term()).isEqualTo(1_700_000_001L);
  }

  @Test
  void newTermIsAboveEveryReportedTerm() {
    MachineDriver member = preVoting(3);
    long sequence = member.newest(PreVote.class).sequence();
    member.receives(A, new PreVoteReply(sequence, 30, false, -1, 0, 0));
    member.receives(C, new PreVoteReply(sequence, 20, false, -1, 0, 0));

    member.acquire().after(ROUND).tick();

    assertThat(member.newest(PreVote.class).term()).isEqualTo(31);
  }

  @Test
  void candidateSavesItsOwnVoteBeforeRequestingOthers() {
    MachineDriver member = preVoting(3).preVotes(A);

    RequestVote request = new RequestVote(member.newest(RequestVote.class).sequence(), 5);
    assertThat(member.effects())
        .containsExactly(
            new QuorumEffect.Save(new HardState(5, "b", Duration.ZERO)),
            new QuorumEffect.Send(A, request),
            new QuorumEffect.Send(C, request));
  }

  @Test
  void voteMajorityCountsAllConfiguredMembers() {
    MachineDriver member = preVoting(5).linked(A);

    assertThat(member.preVotes(A).sent(RequestVote.class)).isEmpty();
    assertThat(member.preVotes(C).sent(RequestVote.class)).isNotEmpty();
    assertThat(member.votes(A).sent(Heartbeat.class)).isEmpty();
    assertThat(member.votes(C).sent(Heartbeat.class)).isNotEmpty();
  }

  @Test
  void halfOfAnEvenMemberCountIsNoMajority() {
    MachineDriver member = preVoting(4);

    assertThat(member.preVotes(A).sent(RequestVote.class)).isEmpty();
    assertThat(member.preVotes(C).votes(A).sent(Heartbeat.class)).isEmpty();
    assertThat(member.votes(C).sent(Heartbeat.class)).isNotEmpty();
  }

  @Test
  void repeatedReplyOfAMemberCountsOnce() {
    MachineDriver member = preVoting(5).preVotes(A, A);
    assertThat(member.sent(RequestVote.class)).isEmpty();

    member.preVotes(C).votes(A, A);

    assertThat(member.sent(Heartbeat.class)).isEmpty();
  }

  @Test
  void voteAfterTheEndOfTheRoundDoesNotCount() {
    MachineDriver candidate = preVoting(3).preVotes(A);

    candidate.after(ROUND).votes(A);

    assertThat(candidate.sent(Heartbeat.class)).isEmpty();
  }

  @Test
  void preVoteAfterTheEndOfTheRoundDoesNotCount() {
    MachineDriver member = preVoting(3);

    member.after(ROUND).preVotes(A);

    assertThat(member.sent(RequestVote.class)).isEmpty();
  }

  @Test
  void voteInAnotherTermDoesNotCount() {
    MachineDriver candidate = preVoting(3).preVotes(A);
    long sequence = candidate.newest(RequestVote.class).sequence();

    candidate.receives(A, new VoteReply(sequence, 4, true));

    assertThat(candidate.sent(Heartbeat.class)).isEmpty();
  }

  @Test
  void replyToAnEarlierRoundDoesNotCount() {
    MachineDriver member = preVoting(3);
    long earlier = member.newest(PreVote.class).sequence();
    member.after(ROUND).tick().acquire().after(ROUND).tick();

    member.receives(A, new PreVoteReply(earlier, 4, true, -1, 0, 0));
    assertThat(member.sent(RequestVote.class)).isEmpty();

    assertThat(member.preVotes(A).sent(RequestVote.class)).isNotEmpty();
  }

  @Test
  void replyToAnEarlierProcessDoesNotCount() {
    MachineDriver before = preVoting(3).preVotes(A);
    VoteReply late = new VoteReply(before.newest(RequestVote.class).sequence(), 5, true);
    MachineDriver candidate =
        MachineDriverBuilder.of(3)
            .countingFrom(5_000)
            .voterIn(4)
            .acquire()
            .after(ROUND)
            .tick()
            .preVotes(A);
    assertThat(candidate.newest(RequestVote.class).term()).isEqualTo(5);

    candidate.receives(C, late);

    assertThat(candidate.sent(Heartbeat.class)).isEmpty();
  }

  @Test
  void roundWithoutMajorityOfRepliesIsAnsweredUnknown() {
    MachineDriver member = preVoting(3);

    member.after(ROUND).tick();

    assertThat(member.answers()).hasOnlyElementsOfType(LeaseResponse.Unknown.class).hasSize(1);
  }

  @Test
  void voteForAnotherMemberEndsTheOwnRound() {
    MachineDriver candidate = preVoting(3).preVotes(A);

    assertThat(candidate.votesFor(C, 9)).isTrue();

    assertThat(candidate.votes(A).sent(Heartbeat.class)).isEmpty();
  }

  @Test
  void promiseToAnotherMemberEndsTheOwnRound() {
    MachineDriver candidate = preVoting(3).preVotes(A);

    assertThat(candidate.promisesTo(C, 6, LEASE)).isTrue();

    assertThat(candidate.votes(A).sent(Heartbeat.class)).isEmpty();
    assertThat(candidate.onDisk()).isEqualTo(new HardState(6, null, Duration.ofMillis(LEASE)));
  }

  @Test
  void memberWithALiveLeaderDoesNotCampaign() {
    MachineDriver member = MachineDriverBuilder.of(3).voterIn(4);
    assertThat(member.promisesTo(A, 3, LEASE)).isFalse();

    member.acquire().after(LEASE - 1).tick();
    assertThat(member.sent(PreVote.class)).isEmpty();

    assertThat(member.after(1).acquire().sent(PreVote.class)).hasSize(2);
  }

  @Test
  void memberWaitsForALeaderReportedByOthers() {
    MachineDriver member = preVoting(3);
    long sequence = member.newest(PreVote.class).sequence();

    member.receives(A, new PreVoteReply(sequence, 4, false, C, 4, 6_000));
    member.after(ROUND).tick().acquire().after(5_999 - ROUND).tick();
    assertThat(member.sent(PreVote.class)).isEmpty();

    assertThat(member.after(1).acquire().sent(PreVote.class)).hasSize(2);
  }

  @Test
  void witnessVotesButNeverCampaigns() {
    MachineDriver witness =
        MachineDriverBuilder.of(3).asWitness().voterIn(4).acquire().after(10 * ROUND).tick();

    assertThat(witness.sent(PreVote.class)).isEmpty();
    assertThat(witness.votesFor(A, 5)).isTrue();
  }

  @Test
  void namedSuccessorCampaignsAtOnce() {
    MachineDriver member = MachineDriverBuilder.of(3).voterIn(4).acquire();

    member.receives(A, new Released(9, 4, 1));

    assertThat(member.sent(PreVote.class)).hasSize(2);
  }

  @Test
  void memberNotNamedAsSuccessorWaits() {
    MachineDriver member = MachineDriverBuilder.of(3).voterIn(4).acquire();

    member.receives(A, new Released(9, 4, C));

    assertThat(member.sent(PreVote.class)).isEmpty();
  }

  /** Returns a member that has sent pre-votes for term 5 to all others. */
  private static MachineDriver preVoting(int size) {
    return MachineDriverBuilder.of(size).voterIn(4).acquire().after(ROUND).tick();
  }
}

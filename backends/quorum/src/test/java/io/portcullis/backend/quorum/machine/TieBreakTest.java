package io.portcullis.backend.quorum.machine;

import static io.portcullis.backend.quorum.machine.MachineDriverBuilder.A;
import static io.portcullis.backend.quorum.machine.MachineDriverBuilder.C;
import static io.portcullis.backend.quorum.machine.MachineDriverBuilder.ROUND;
import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.backend.quorum.machine.QuorumMessage.Heartbeat;
import io.portcullis.backend.quorum.machine.QuorumMessage.PreVote;
import io.portcullis.backend.quorum.machine.QuorumMessage.RequestVote;
import io.portcullis.backend.quorum.machine.VoteCampaign.CandidateRank;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests which of two members that campaign at once yields; this one is {@code b}, priority 5. */
class TieBreakTest {
  @Test
  void rankComparesPriorityThenIdThenUptime() {
    assertThat(
            Stream.of(
                    new CandidateRank(1, "a", 9),
                    new CandidateRank(0, "b", 1),
                    new CandidateRank(0, "a", 9),
                    new CandidateRank(0, "b", 2),
                    new CandidateRank(-1, "c", 9))
                .sorted())
        .containsExactly(
            new CandidateRank(-1, "c", 9),
            new CandidateRank(0, "a", 9),
            new CandidateRank(0, "b", 1),
            new CandidateRank(0, "b", 2),
            new CandidateRank(1, "a", 9));
  }

  @Test
  void higherPriorityIsYieldedTo() {
    MachineDriver member = preVoting().receives(A, new PreVote(9, 5, 6, 0));

    assertThat(member.preVotes(C).sent(RequestVote.class)).isEmpty();
  }

  @Test
  void lowerPriorityIsNotYieldedTo() {
    MachineDriver member = preVoting().receives(C, new PreVote(9, 5, 4, 0));

    assertThat(member.preVotes(A).sent(RequestVote.class)).isNotEmpty();
  }

  @Test
  void higherIdOfTheSamePriorityIsYieldedTo() {
    MachineDriver member = preVoting().receives(C, new PreVote(9, 5, 5, 0));

    assertThat(member.preVotes(A).sent(RequestVote.class)).isEmpty();
  }

  @Test
  void lowerIdOfTheSamePriorityIsNotYieldedTo() {
    MachineDriver member = preVoting().receives(A, new PreVote(9, 5, 5, 1_000));

    assertThat(member.preVotes(C).sent(RequestVote.class)).isNotEmpty();
  }

  @Test
  void memberYieldsOnlyOncePerRound() {
    MachineDriver member = preVoting().receives(C, new PreVote(9, 5, 6, 0)).after(ROUND).tick();
    assertThat(member.sent(PreVote.class)).hasSize(2);

    member.receives(C, new PreVote(10, 5, 6, 0));

    assertThat(member.preVotes(A).sent(RequestVote.class)).isNotEmpty();
  }

  @Test
  void memberMayYieldAgainAfterARoundHasEnded() {
    MachineDriver member = preVoting().receives(C, new PreVote(9, 5, 6, 0)).after(ROUND).tick();
    member.after(ROUND).tick().acquire().after(ROUND).tick();
    assertThat(member.sent(PreVote.class)).hasSize(2);

    member.receives(C, new PreVote(11, 5, 6, 0));

    assertThat(member.preVotes(A).sent(RequestVote.class)).isEmpty();
  }

  @Test
  void tieBreakDoesNotChangeAVote() {
    MachineDriver candidate = preVoting().preVotes(A);

    assertThat(candidate.votesFor(C, 5)).isFalse();

    assertThat(candidate.votes(A).sent(Heartbeat.class)).isNotEmpty();
  }

  @Test
  void candidateThatRequestsVotesDoesNotYield() {
    MachineDriver candidate = preVoting().preVotes(A).receives(C, new PreVote(9, 6, 6, 0));

    assertThat(candidate.votes(A).sent(Heartbeat.class)).isNotEmpty();
  }

  /** Returns a member that has sent pre-votes for term 5 to {@code a} and {@code c}. */
  private static MachineDriver preVoting() {
    return MachineDriverBuilder.of(3).voterIn(4).acquire().after(ROUND).tick();
  }
}

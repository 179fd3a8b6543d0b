package io.portcullis.backend.quorum.machine;

import static io.portcullis.backend.quorum.machine.MachineDriverBuilder.A;
import static io.portcullis.backend.quorum.machine.MachineDriverBuilder.C;
import static io.portcullis.backend.quorum.machine.MachineDriverBuilder.ROUND;
import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.backend.quorum.machine.QuorumMessage.Heartbeat;
import io.portcullis.backend.quorum.machine.QuorumMessage.PreVote;
import io.portcullis.backend.quorum.machine.QuorumMessage.RequestVote;
import org.junit.jupiter.api.Test;

/** Two members that want to lead meet; this one has priority 5 and is called {@code b}. */
class TieBreakTest {
  @Test
  void theHigherPriorityIsYieldedTo() {
    MachineDriver member = asking().hears(A, new PreVote(9, 5, 6, 0));

    assertThat(member.preVotes(C).sent(RequestVote.class)).isEmpty();
  }

  @Test
  void theLowerPriorityIsNot() {
    MachineDriver member = asking().hears(C, new PreVote(9, 5, 4, 0));

    assertThat(member.preVotes(A).sent(RequestVote.class)).isNotEmpty();
  }

  @Test
  void ofTheSamePriorityTheHigherIdIsYieldedTo() {
    MachineDriver member = asking().hears(C, new PreVote(9, 5, 5, 0));

    assertThat(member.preVotes(A).sent(RequestVote.class)).isEmpty();
  }

  @Test
  void ofTheSamePriorityTheLowerIdIsNot() {
    MachineDriver member = asking().hears(A, new PreVote(9, 5, 5, 1_000));

    assertThat(member.preVotes(C).sent(RequestVote.class)).isNotEmpty();
  }

  @Test
  void whoHasYieldedOnceDoesNotYieldInTheNextTry() {
    MachineDriver member = asking().hears(C, new PreVote(9, 5, 6, 0)).after(ROUND).tick();
    assertThat(member.sent(PreVote.class)).hasSize(2);

    member.hears(C, new PreVote(10, 5, 6, 0));

    assertThat(member.preVotes(A).sent(RequestVote.class)).isNotEmpty();
  }

  @Test
  void aRoundThatEndedMayBeFollowedByAnotherYielding() {
    MachineDriver member = asking().hears(C, new PreVote(9, 5, 6, 0)).after(ROUND).tick();
    member.after(ROUND).tick().acquire().after(ROUND).tick();
    assertThat(member.sent(PreVote.class)).hasSize(2);

    member.hears(C, new PreVote(11, 5, 6, 0));

    assertThat(member.preVotes(A).sent(RequestVote.class)).isEmpty();
  }

  @Test
  void theTieBreakMovesNoVote() {
    MachineDriver candidate = asking().preVotes(A);

    assertThat(candidate.votesFor(C, 5)).isFalse();

    assertThat(candidate.votes(A).sent(Heartbeat.class)).isNotEmpty();
  }

  @Test
  void aCandidateYieldsToNobody() {
    MachineDriver candidate = asking().preVotes(A).hears(C, new PreVote(9, 6, 6, 0));

    assertThat(candidate.votes(A).sent(Heartbeat.class)).isNotEmpty();
  }

  /** Has asked {@code a} and {@code c} whether they would elect it in term 5. */
  private static MachineDriver asking() {
    return MachineDriverBuilder.of(3).voterIn(4).acquire().after(ROUND).tick();
  }
}

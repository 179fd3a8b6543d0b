package io.portcullis.backend.quorum.machine;

import static io.portcullis.backend.quorum.machine.MachineDriverBuilder.A;
import static io.portcullis.backend.quorum.machine.MachineDriverBuilder.C;
import static io.portcullis.backend.quorum.machine.MachineDriverBuilder.LEASE;
import static io.portcullis.backend.quorum.machine.MachineDriverBuilder.ROUND;
import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.backend.quorum.machine.QuorumMessage.Heartbeat;
import io.portcullis.backend.quorum.machine.QuorumMessage.PreVote;
import io.portcullis.backend.quorum.machine.QuorumMessage.Probe;
import io.portcullis.backend.quorum.machine.QuorumMessage.Report;
import io.portcullis.backend.quorum.machine.QuorumMessage.RequestVote;
import io.portcullis.election.store.LeaseResponse;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A member whose disk does not keep its ballot, or does not give it back. */
class UnsavedHardStateTest {
  private static final long SAVE_AGAIN = 2_000;

  @Test
  void aVoteThatCouldNotBeSavedIsNotToldNotEvenWhenAskedAgain() {
    MachineDriver voter = MachineDriverBuilder.of(3).voterIn(4).diskFull(true);

    assertThat(voter.votesFor(A, 5)).isFalse();
    assertThat(voter.votesFor(A, 5)).isFalse();
  }

  @Test
  void aPromiseThatCouldNotBeSavedIsNotToldNotEvenWhenAskedAgain() {
    MachineDriver voter = MachineDriverBuilder.of(3).voterIn(4).diskFull(true);

    assertThat(voter.promisesTo(A, 5, LEASE)).isFalse();
    assertThat(voter.promisesTo(A, 5, LEASE)).isFalse();
  }

  @Test
  void memberWithUnsavedVoteNeitherVotesNorPromises() {
    MachineDriver voter = MachineDriverBuilder.of(3).voterIn(4).diskFull(true);
    assertThat(voter.votesFor(A, 5)).isFalse();

    voter.diskFull(false);

    assertThat(voter.votesFor(C, 6)).isFalse();
    assertThat(voter.wouldVoteFor(C, 6)).isFalse();
    assertThat(voter.promisesTo(C, 6, LEASE)).isFalse();
  }

  @Test
  void whileItsBallotIsUnsavedAMemberDoesNotCampaign() {
    MachineDriver voter = MachineDriverBuilder.of(3).voterIn(4).diskFull(true);
    assertThat(voter.votesFor(A, 5)).isFalse();

    voter.acquire();
    assertThat(voter.answers()).containsExactly(new LeaseResponse.Unknown("disk full"));

    voter.after(ROUND).tick();
    assertThat(voter.sent(PreVote.class)).isEmpty();
  }

  @Test
  void aBallotIsSavedAgainUntilThatSucceedsAndThenItsVoteIsTold() {
    MachineDriver voter = MachineDriverBuilder.of(3).voterIn(4).diskFull(true);
    assertThat(voter.votesFor(A, 5)).isFalse();
    assertThat(voter.after(SAVE_AGAIN).votesFor(A, 5)).isFalse();

    voter.diskFull(false).after(SAVE_AGAIN).tick();

    assertThat(voter.onDisk()).isEqualTo(new HardState(5, "a", Duration.ZERO));
    assertThat(voter.votesFor(C, 5)).isFalse();
    assertThat(voter.votesFor(A, 5)).isTrue();
  }

  @Test
  void aCandidateThatCouldNotSaveItsOwnVoteAsksForNone() {
    MachineDriver candidate = MachineDriverBuilder.of(3).voterIn(4).acquire().after(ROUND).tick();

    candidate.diskFull(true).preVotes(A);

    assertThat(candidate.sent(RequestVote.class)).isEmpty();
  }

  @Test
  void aLeaderThatCouldNotSaveItsOwnPromiseDoesNotBeat() {
    MachineDriver candidate =
        MachineDriverBuilder.of(3).voterIn(4).acquire().after(ROUND).tick().preVotes(A);

    candidate.diskFull(true).votes(A);

    assertThat(candidate.sent(Heartbeat.class)).isEmpty();
  }

  @Test
  void aLeaderWhoseBallotIsUnsavedDoesNotCountItsOwnPromise() {
    MachineDriver leader =
        MachineDriverBuilder.of(5).voterIn(4).acquire().after(ROUND).tick().preVotes(A, C);
    leader.diskFull(true).votes(A, C);

    leader.renew(5).promises(A, C);
    assertThat(leader.answers()).isEmpty();

    leader.promises(MachineDriverBuilder.D);
    assertThat(leader.answers())
        .containsExactly(new LeaseResponse.Granted(5, MachineDriverBuilder.CLUSTER));
  }

  @Test
  void memberWithUnreadableVoteNeverVotesNorPromises() {
    MachineDriver unfit = MachineDriverBuilder.of(3).unfit().after(100 * LEASE).tick();

    assertThat(unfit.votesFor(A, 5)).isFalse();
    assertThat(unfit.wouldVoteFor(A, 5)).isFalse();
    assertThat(unfit.promisesTo(A, 5, LEASE)).isFalse();
    assertThat(unfit.acquire().after(ROUND).tick().sent(PreVote.class)).isEmpty();
    assertThat(unfit.onDisk()).isNull();
  }

  @Test
  void whoCannotReadItsBallotDoesNotTellWhatItRemembers() {
    MachineDriver unfit = MachineDriverBuilder.of(3).unfit();

    unfit.hears(A, new Probe(9));

    assertThat(unfit.effects()).isEmpty();
  }

  @Test
  void whoKeepsABallotTellsItsTermAndTheLongestLeaseItKnows() {
    MachineDriver voter =
        MachineDriverBuilder.of(3).voter(new HardState(7, "a", Duration.ofSeconds(15)));

    voter.hears(A, new Probe(9));

    assertThat(voter.sent(Report.class)).containsExactly(new Report(9, 7, true, 15_000));
  }
}

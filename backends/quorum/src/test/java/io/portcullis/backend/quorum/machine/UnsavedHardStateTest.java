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

/** Tests a member that cannot save its hard state, or cannot read it at start. */
class UnsavedHardStateTest {
  private static final long SAVE_RETRY_MILLIS = 2_000;

  @Test
  void unsavedVoteIsNotSentEvenIfRequestedAgain() {
    MachineDriver voter = MachineDriverBuilder.of(3).voterIn(4).diskFull(true);

    assertThat(voter.votesFor(A, 5)).isFalse();
    assertThat(voter.votesFor(A, 5)).isFalse();
  }

  @Test
  void unsavedPromiseIsNotSentEvenIfRequestedAgain() {
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
  void memberWithUnsavedHardStateDoesNotCampaign() {
    MachineDriver voter = MachineDriverBuilder.of(3).voterIn(4).diskFull(true);
    assertThat(voter.votesFor(A, 5)).isFalse();

    voter.acquire();
    assertThat(voter.answers()).containsExactly(new LeaseResponse.Unknown("disk full"));

    voter.after(ROUND).tick();
    assertThat(voter.sent(PreVote.class)).isEmpty();
  }

  @Test
  void failedSaveIsRetriedAndThenTheVoteIsSent() {
    MachineDriver voter = MachineDriverBuilder.of(3).voterIn(4).diskFull(true);
    assertThat(voter.votesFor(A, 5)).isFalse();
    assertThat(voter.after(SAVE_RETRY_MILLIS).votesFor(A, 5)).isFalse();

    voter.diskFull(false).after(SAVE_RETRY_MILLIS).tick();

    assertThat(voter.onDisk()).isEqualTo(new HardState(5, "a", Duration.ZERO));
    assertThat(voter.votesFor(C, 5)).isFalse();
    assertThat(voter.votesFor(A, 5)).isTrue();
  }

  @Test
  void candidateWithUnsavedVoteRequestsNoVotes() {
    MachineDriver candidate = MachineDriverBuilder.of(3).voterIn(4).acquire().after(ROUND).tick();

    candidate.diskFull(true).preVotes(A);

    assertThat(candidate.sent(RequestVote.class)).isEmpty();
  }

  @Test
  void leaderWithUnsavedPromiseSendsNoHeartbeat() {
    MachineDriver candidate =
        MachineDriverBuilder.of(3).voterIn(4).acquire().after(ROUND).tick().preVotes(A);

    candidate.diskFull(true).votes(A);

    assertThat(candidate.sent(Heartbeat.class)).isEmpty();
  }

  @Test
  void leaderDoesNotCountItsOwnUnsavedPromise() {
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
    MachineDriver unreadable =
        MachineDriverBuilder.of(3).withUnreadableHardState().after(100 * LEASE).tick();

    assertThat(unreadable.votesFor(A, 5)).isFalse();
    assertThat(unreadable.wouldVoteFor(A, 5)).isFalse();
    assertThat(unreadable.promisesTo(A, 5, LEASE)).isFalse();
    assertThat(unreadable.acquire().after(ROUND).tick().sent(PreVote.class)).isEmpty();
    assertThat(unreadable.onDisk()).isNull();
  }

  @Test
  void memberWithUnreadableHardStateSendsNoReport() {
    MachineDriver unreadable = MachineDriverBuilder.of(3).withUnreadableHardState();

    unreadable.receives(A, new Probe(9));

    assertThat(unreadable.effects()).isEmpty();
  }

  @Test
  void voterReportsItsTermAndItsLongestPromise() {
    MachineDriver voter =
        MachineDriverBuilder.of(3).voter(new HardState(7, "a", Duration.ofSeconds(15)));

    voter.receives(A, new Probe(9));

    assertThat(voter.sent(Report.class)).containsExactly(new Report(9, 7, true, 15_000));
  }
}

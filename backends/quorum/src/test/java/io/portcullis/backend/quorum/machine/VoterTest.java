package io.portcullis.backend.quorum.machine;

import static io.portcullis.backend.quorum.machine.MachineDriverBuilder.A;
import static io.portcullis.backend.quorum.machine.MachineDriverBuilder.C;
import static io.portcullis.backend.quorum.machine.MachineDriverBuilder.LEASE;
import static io.portcullis.backend.quorum.machine.MachineDriverBuilder.ROUND;
import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.backend.quorum.machine.QuorumMessage.Heartbeat;
import io.portcullis.backend.quorum.machine.QuorumMessage.HeartbeatReply;
import io.portcullis.backend.quorum.machine.QuorumMessage.PreVote;
import io.portcullis.backend.quorum.machine.QuorumMessage.PreVoteReply;
import io.portcullis.backend.quorum.machine.QuorumMessage.Released;
import io.portcullis.backend.quorum.machine.QuorumMessage.RequestVote;
import io.portcullis.backend.quorum.machine.QuorumMessage.VoteReply;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests when a voter votes and promises, also after a restart. */
class VoterTest {
  private static final long LONG_LEASE = 15_000;

  @Test
  void firstCandidateGetsTheOnlyVoteOfATerm() {
    MachineDriver voter = MachineDriverBuilder.of(3).voterIn(4);

    assertThat(voter.votesFor(A, 5)).isTrue();
    assertThat(voter.votesFor(C, 5)).isFalse();
  }

  @Test
  void repeatedRequestGetsTheSameVoteAgain() {
    MachineDriver voter = MachineDriverBuilder.of(3).voterIn(4);

    assertThat(voter.votesFor(A, 5)).isTrue();
    assertThat(voter.votesFor(A, 5)).isTrue();
  }

  @Test
  void restartGivesNoSecondVote() {
    MachineDriver voter = MachineDriverBuilder.of(3).voterIn(4);
    assertThat(voter.votesFor(A, 5)).isTrue();

    MachineDriver restarted = voter.restarted();

    assertThat(restarted.votesFor(C, 5)).isFalse();
    assertThat(restarted.votesFor(A, 5)).isTrue();
  }

  @Test
  void earlierTermGetsNoVote() {
    MachineDriver voter = MachineDriverBuilder.of(3).voterIn(4);

    assertThat(voter.votesFor(A, 3)).isFalse();
    assertThat(voter.sent(VoteReply.class)).containsExactly(new VoteReply(77, 4, false));
  }

  @Test
  void voteIsSavedBeforeItIsSent() {
    MachineDriver voter =
        MachineDriverBuilder.of(3)
            .voter(new HardState(4, null, Duration.ofMillis(LONG_LEASE)))
            .after(LONG_LEASE);

    voter.receives(A, new RequestVote(9, 5));

    assertThat(voter.effects())
        .containsExactly(
            new QuorumEffect.Save(new HardState(5, "a", Duration.ofMillis(LONG_LEASE))),
            new QuorumEffect.Send(A, new VoteReply(9, 5, true)));
  }

  @Test
  void preVoteChangesNoState() {
    MachineDriver voter = MachineDriverBuilder.of(3).voterIn(4);

    assertThat(voter.wouldVoteFor(A, 9)).isTrue();

    assertThat(voter.effects()).hasSize(1);
    assertThat(voter.votesFor(C, 5)).isTrue();
  }

  @Test
  void promiseBlocksVotesEvenInAHigherTerm() {
    MachineDriver voter = MachineDriverBuilder.of(3).voterIn(4);
    assertThat(voter.promisesTo(A, 5, LEASE)).isTrue();

    voter.after(LEASE - 1);

    assertThat(voter.votesFor(C, 9)).isFalse();
    assertThat(voter.votesFor(A, 9)).isFalse();
    assertThat(voter.after(1).votesFor(C, 9)).isTrue();
  }

  @Test
  void preVoteRefusedForAPromiseNamesTheLeader() {
    MachineDriver voter = MachineDriverBuilder.of(3).voterIn(4);
    assertThat(voter.promisesTo(A, 5, LEASE)).isTrue();

    voter.after(4_000).receives(C, new PreVote(9, 6, 0, 0));

    assertThat(voter.sent(PreVoteReply.class))
        .containsExactly(new PreVoteReply(9, 5, false, A, 5, LEASE - 4_000));
  }

  @Test
  void promiseLastsForTheLeadersLeaseNotTheVoters() {
    MachineDriver voter = MachineDriverBuilder.of(3).voterIn(4);
    assertThat(voter.promisesTo(A, 5, LONG_LEASE)).isTrue();

    assertThat(voter.after(LONG_LEASE - 1).votesFor(C, 6)).isFalse();
    assertThat(voter.after(1).votesFor(C, 6)).isTrue();
  }

  @Test
  void eachHeartbeatExtendsThePromiseByAFullLease() {
    MachineDriver voter = MachineDriverBuilder.of(3).voterIn(4);
    assertThat(voter.promisesTo(A, 5, LEASE)).isTrue();

    assertThat(voter.after(4_000).promisesTo(A, 5, LEASE)).isTrue();

    assertThat(voter.after(LEASE - 1).votesFor(C, 6)).isFalse();
  }

  @Test
  void newTermAndLongerPromiseAreSavedBeforeTheReply() {
    MachineDriver voter = MachineDriverBuilder.of(3).voterIn(4);

    voter.receives(A, new Heartbeat(9, 5, LEASE));

    assertThat(voter.effects())
        .startsWith(new QuorumEffect.Save(new HardState(5, null, Duration.ofMillis(LEASE))))
        .endsWith(new QuorumEffect.Send(A, new HeartbeatReply(9, 5, true, false, 5)));
  }

  @Test
  void savedHardStateKeepsTheLongestPromise() {
    MachineDriver voter =
        MachineDriverBuilder.of(3)
            .voter(new HardState(5, "a", Duration.ofMillis(LONG_LEASE)))
            .after(LONG_LEASE);

    assertThat(voter.promisesTo(A, 5, LEASE)).isTrue();
    assertThat(voter.promisesTo(A, 6, LEASE)).isTrue();

    assertThat(voter.onDisk()).isEqualTo(new HardState(6, null, Duration.ofMillis(LONG_LEASE)));
    assertThat(voter.promisesTo(A, 6, LONG_LEASE + 1)).isTrue();
    assertThat(voter.onDisk()).isEqualTo(new HardState(6, null, Duration.ofMillis(LONG_LEASE + 1)));
  }

  @Test
  void heartbeatOfAnEarlierTermGetsNoPromise() {
    MachineDriver voter = MachineDriverBuilder.of(3).voterIn(4);

    assertThat(voter.promisesTo(A, 3, LEASE)).isFalse();

    assertThat(voter.votesFor(C, 5)).isTrue();
  }

  @Test
  void restartedVoterWaitsOutItsLongestPromise() {
    MachineDriver before = MachineDriverBuilder.of(3).voterIn(4);
    assertThat(before.promisesTo(A, 5, LONG_LEASE)).isTrue();
    assertThat(before.promisesTo(A, 5, LEASE)).isTrue();

    MachineDriver voter = before.restarted().after(LONG_LEASE - 1);

    assertThat(voter.votesFor(C, 9)).isFalse();
    assertThat(voter.wouldVoteFor(C, 9)).isFalse();
    assertThat(voter.after(1).votesFor(C, 9)).isTrue();
  }

  @Test
  void restartedMemberCampaignsOnlyAfterItsLongestPromise() {
    MachineDriver voter =
        MachineDriverBuilder.of(3).voter(new HardState(5, "a", Duration.ofMillis(LONG_LEASE)));

    voter.acquire().after(LONG_LEASE - 1).tick();
    assertThat(voter.sent(PreVote.class)).isEmpty();

    voter.after(1).acquire().after(ROUND).tick();
    assertThat(voter.sent(PreVote.class)).hasSize(2);
  }

  @Test
  void restartedVoterPromisesAtOnce() {
    MachineDriver voter =
        MachineDriverBuilder.of(3).voter(new HardState(5, "a", Duration.ofMillis(LONG_LEASE)));

    assertThat(voter.promisesTo(A, 5, LEASE)).isTrue();
  }

  @Test
  void releaseEndsThePromise() {
    MachineDriver voter = MachineDriverBuilder.of(3).voterIn(4);
    assertThat(voter.promisesTo(A, 5, LEASE)).isTrue();

    voter.receives(A, new Released(9, 5, -1));

    assertThat(voter.votesFor(C, 6)).isTrue();
  }

  @Test
  void releaseByAnotherMemberOrTermEndsNoPromise() {
    MachineDriver voter = MachineDriverBuilder.of(3).voterIn(4);
    assertThat(voter.promisesTo(A, 5, LEASE)).isTrue();

    voter.receives(C, new Released(9, 5, -1));
    voter.receives(A, new Released(9, 4, -1));
    voter.receives(A, new Released(9, 6, -1));

    assertThat(voter.votesFor(C, 7)).isFalse();
  }

  @Test
  void heartbeatAfterReleaseGetsNoPromise() {
    MachineDriver voter = MachineDriverBuilder.of(3).voterIn(4).receives(A, new Released(9, 5, -1));

    assertThat(voter.promisesTo(A, 5, LEASE)).isFalse();

    assertThat(voter.votesFor(C, 6)).isTrue();
  }

  @Test
  void unreachableTermIsIgnored() {
    long second = 1_700_000_000L;
    MachineDriver voter = MachineDriverBuilder.of(3).voterIn(4).atUnixSecond(second);
    long tooHigh = second + (1L << 32) + 1;

    assertThat(voter.votesFor(A, tooHigh)).isFalse();
    assertThat(voter.wouldVoteFor(A, tooHigh)).isFalse();
    assertThat(voter.promisesTo(A, tooHigh, LEASE)).isFalse();
    assertThat(voter.promisesTo(A, -1, LEASE)).isFalse();
    assertThat(voter.onDisk()).isEqualTo(new HardState(4, null, Duration.ZERO));
    assertThat(voter.votesFor(A, tooHigh - 1)).isTrue();
  }

  @Test
  void implausibleLeaseIsIgnored() {
    MachineDriver voter = MachineDriverBuilder.of(3).voterIn(4);

    assertThat(voter.promisesTo(A, 5, 0)).isFalse();
    assertThat(voter.promisesTo(A, 5, Duration.ofDays(1).toMillis() + 1)).isFalse();
    assertThat(voter.promisesTo(A, 5, Duration.ofDays(1).toMillis())).isTrue();
  }
}

package io.portcullis.backend.quorum.machine;

import static io.portcullis.backend.quorum.machine.MachineDriverBuilder.A;
import static io.portcullis.backend.quorum.machine.MachineDriverBuilder.C;
import static io.portcullis.backend.quorum.machine.MachineDriverBuilder.D;
import static io.portcullis.backend.quorum.machine.MachineDriverBuilder.E;
import static io.portcullis.backend.quorum.machine.MachineDriverBuilder.LEASE;
import static io.portcullis.backend.quorum.machine.MachineDriverBuilder.MAX_LEASE;
import static io.portcullis.backend.quorum.machine.MachineDriverBuilder.ROUND;
import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.backend.quorum.machine.QuorumMessage.PreVote;
import io.portcullis.backend.quorum.machine.QuorumMessage.Probe;
import io.portcullis.backend.quorum.machine.QuorumMessage.Report;
import io.portcullis.election.store.LeaseResponse;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests a member without a ballot: a new one, or one whose disk was lost. */
class RecoveringMemberTest {
  private static final long LONG_LEASE = 15_000;

  @Test
  void recoveringMemberNeitherVotesNorPromises() {
    MachineDriver recovering = MachineDriverBuilder.of(3).recovering();

    assertThat(recovering.votesFor(A, 5)).isFalse();
    assertThat(recovering.wouldVoteFor(A, 5)).isFalse();
    assertThat(recovering.promisesTo(A, 5, LEASE)).isFalse();
    assertThat(recovering.onDisk()).isNull();
  }

  @Test
  void recoveringMemberDoesNotCampaign() {
    MachineDriver recovering = MachineDriverBuilder.of(3).recovering();

    recovering.acquire();
    assertThat(recovering.answers()).hasOnlyElementsOfType(LeaseResponse.Unknown.class);

    assertThat(recovering.after(ROUND).tick().sent(PreVote.class)).isEmpty();
  }

  @Test
  void immediateStartIfNoOtherMemberHasTakenPart() {
    MachineDriver recovering =
        MachineDriverBuilder.of(3).recovering().report(A, 0).reportWithoutBallot(C);

    assertThat(recovering.onDisk()).isEqualTo(HardState.BLANK);
    assertThat(recovering.votesFor(A, 1)).isTrue();
  }

  @Test
  void immediateStartNeedsAReportFromEveryMember() {
    MachineDriver recovering =
        MachineDriverBuilder.of(5).recovering().report(A, 0).report(C, 0).report(D, 0).report(D, 0);

    assertThat(recovering.votesFor(A, 1)).isFalse();
  }

  @Test
  void noImmediateStartIfAnyMemberHasTakenPart() {
    MachineDriver recovering = MachineDriverBuilder.of(3).recovering().report(A, 0).report(C, 7);

    assertThat(recovering.votesFor(A, 8)).isFalse();
  }

  @Test
  void noImmediateStartIfBlankMembersAreNotTrusted() {
    MachineDriver recovering = MachineDriverBuilder.of(3).withoutTrustInBlankMembers().recovering();

    recovering.report(A, 0).report(C, 0);

    assertThat(recovering.votesFor(A, 1)).isFalse();
  }

  @Test
  void membersAreProbedAgainAfterTheLongestLease() {
    MachineDriver recovering =
        MachineDriverBuilder.of(3).recovering().report(A, 7).report(C, 7).after(MAX_LEASE - 1);
    recovering.report(A, 7).report(C, 7);
    assertThat(recovering.votesFor(A, 8)).isFalse();

    recovering.after(1).tick();
    assertThat(recovering.sent(Probe.class)).hasSize(2);
    assertThat(recovering.votesFor(A, 8)).isFalse();

    recovering.report(A, 7).report(C, 7);
    assertThat(recovering.votesFor(A, 8)).isTrue();
  }

  @Test
  void reportForAProbeSentDuringTheWaitDoesNotCount() {
    MachineDriver recovering = MachineDriverBuilder.of(3).recovering();
    long before = recovering.newest(Probe.class).sequence();
    recovering.report(A, 7).report(C, 7).after(MAX_LEASE).tick().report(A, 7);

    recovering.receives(C, new Report(before, 7, true, LEASE));
    assertThat(recovering.votesFor(A, 8)).isFalse();

    recovering.report(C, 7);
    assertThat(recovering.votesFor(A, 8)).isTrue();
  }

  @Test
  void longerReportedLeaseIsWaitedOut() {
    MachineDriver recovering = MachineDriverBuilder.of(3).recovering();
    recovering.receives(
        A, new Report(recovering.newest(Probe.class).sequence(), 7, true, LONG_LEASE));
    recovering.report(C, 7);

    recovering.after(LONG_LEASE - 1).tick().report(A, 7).report(C, 7);
    assertThat(recovering.votesFor(A, 8)).isFalse();

    recovering.after(1).tick().report(A, 7).report(C, 7);
    assertThat(recovering.votesFor(A, 8)).isTrue();
  }

  @Test
  void recoveringMemberWaitsOutALongerLeaseSeenLater() {
    MachineDriver recovering = MachineDriverBuilder.of(3).recoveringAfterTheWait(1).report(A, 7);
    assertThat(recovering.promisesTo(C, 7, LONG_LEASE)).isFalse();

    recovering.report(C, 7);
    assertThat(recovering.votesFor(A, 8)).isFalse();

    recovering.after(LONG_LEASE - MAX_LEASE).tick().report(C, 7);
    assertThat(recovering.votesFor(A, 8)).isFalse();
    recovering.report(A, 7);
    assertThat(recovering.votesFor(A, 8)).isTrue();
  }

  @Test
  void startNeedsReportsThatIntersectEveryMajority() {
    MachineDriver recovering = MachineDriverBuilder.of(5).recoveringAfterTheWait(1);

    recovering.report(A, 7).report(C, 7).report(C, 7);
    assertThat(recovering.votesFor(A, 8)).isFalse();

    recovering.report(D, 7);
    assertThat(recovering.votesFor(A, 8)).isTrue();
  }

  @Test
  void reportsOfRecoveringMembersDoNotCount() {
    MachineDriver recovering = MachineDriverBuilder.of(5).recoveringAfterTheWait(1);

    recovering.report(A, 7).report(C, 7).reportWithoutBallot(D).reportWithoutBallot(E);
    assertThat(recovering.votesFor(A, 8)).isFalse();

    recovering.report(E, 0);
    assertThat(recovering.votesFor(A, 8)).isTrue();
  }

  @Test
  void recoveredMemberVotesOnlyAboveReportedTerms() {
    MachineDriver recovering =
        MachineDriverBuilder.of(3).recoveringAfterTheWait(1).report(A, 7).report(C, 6);

    assertThat(recovering.votesFor(A, 7)).isFalse();
    assertThat(recovering.votesFor(C, 7)).isFalse();
    assertThat(recovering.votesFor(A, 8)).isTrue();
  }

  @Test
  void termOfAHeartbeatCountsAsAReportedTerm() {
    MachineDriver recovering = MachineDriverBuilder.of(3).recovering();
    assertThat(recovering.promisesTo(A, 9, LEASE)).isFalse();

    recovering.report(A, 7).report(C, 6).after(MAX_LEASE).tick().report(A, 7).report(C, 6);

    assertThat(recovering.votesFor(C, 9)).isFalse();
    assertThat(recovering.votesFor(C, 10)).isTrue();
  }

  @Test
  void recoveredMemberPromisesInTheHighestReportedTerm() {
    MachineDriver recovering =
        MachineDriverBuilder.of(3).recoveringAfterTheWait(1).report(A, 7).report(C, 6);

    assertThat(recovering.promisesTo(A, 7, LEASE)).isTrue();
  }

  @Test
  void learnedTermIsSavedWithItsVoteSpent() {
    MachineDriver recovering =
        MachineDriverBuilder.of(3).recoveringAfterTheWait(1).report(A, 7).report(C, 6);

    assertThat(recovering.onDisk()).isEqualTo(new HardState(7, HardState.SPENT, Duration.ZERO));
  }

  @Test
  void electionIsNewIfNobodyHasTakenPartAfterTheWait() {
    MachineDriver recovering =
        MachineDriverBuilder.of(5).withoutTrustInBlankMembers().recoveringAfterTheWait(0);

    recovering.reportWithoutBallot(A).report(C, 0);
    assertThat(recovering.votesFor(A, 1)).isFalse();

    recovering.reportWithoutBallot(D);
    assertThat(recovering.onDisk()).isEqualTo(HardState.BLANK);
    assertThat(recovering.votesFor(A, 1)).isTrue();
  }

  @Test
  void recoveringMemberReportsThatItHasNoBallot() {
    MachineDriver recovering = MachineDriverBuilder.of(3).recovering();

    recovering.receives(A, new Probe(9));

    assertThat(recovering.sent(Report.class)).containsExactly(new Report(9, 0, false, LEASE));
  }

  @ParameterizedTest
  @ValueSource(longs = {10, 5_000})
  void reportToAnEarlierProcessDoesNotAllowImmediateStart(long firstSequenceOfEarlier) {
    MachineDriver before =
        MachineDriverBuilder.of(3).countingFrom(firstSequenceOfEarlier).recovering();
    long earlier = before.newest(Probe.class).sequence();
    MachineDriver recovering = MachineDriverBuilder.of(3).countingFrom(1_000).recovering();

    recovering.receives(A, new Report(earlier, 0, true, LEASE));
    recovering.receives(C, new Report(earlier, 0, true, LEASE));

    assertThat(recovering.votesFor(A, 1)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(longs = {10, 5_000})
  void reportToAnEarlierProcessDoesNotCountAfterTheWait(long firstSequenceOfEarlier) {
    MachineDriver before =
        MachineDriverBuilder.of(3).countingFrom(firstSequenceOfEarlier).recoveringAfterTheWait(1);
    long earlier = before.newest(Probe.class).sequence();
    MachineDriver recovering =
        MachineDriverBuilder.of(3).countingFrom(1_000).recoveringAfterTheWait(1);

    recovering.receives(A, new Report(earlier, 7, true, LEASE));
    recovering.receives(C, new Report(earlier, 7, true, LEASE));

    assertThat(recovering.votesFor(A, 8)).isFalse();
  }

  @Test
  void waitCountsFromTheNewestConnection() {
    MachineDriver recovering = MachineDriverBuilder.of(3).recoveringAfterTheWait(7).report(A, 7);

    recovering.linked(C).report(C, 7).after(MAX_LEASE - 1).tick().report(C, 7);
    assertThat(recovering.votesFor(A, 8)).isFalse();

    recovering.after(1).tick().report(C, 7);
    assertThat(recovering.votesFor(A, 8)).isTrue();
  }

  @Test
  void reportOnAnEarlierConnectionDoesNotStartTheWait() {
    MachineDriver recovering = MachineDriverBuilder.of(3).recoveringAfterTheWait(7).report(A, 7);
    long before = recovering.newest(Probe.class).sequence();
    recovering.linked(C).receives(C, new Report(before, 7, true, LEASE)).after(1).report(C, 7);

    recovering.after(MAX_LEASE - 1).tick().report(C, 7);
    assertThat(recovering.votesFor(A, 8)).isFalse();

    recovering.after(1).tick().report(C, 7);
    assertThat(recovering.votesFor(A, 8)).isTrue();
  }

  @Test
  void blankReportIsDiscardedWhenItsConnectionIsLost() {
    MachineDriver recovering =
        MachineDriverBuilder.of(3).recovering().report(A, 0).unlinked(A).report(C, 0);
    assertThat(recovering.votesFor(A, 1)).isFalse();

    recovering.linked(A).report(A, 0);
    assertThat(recovering.votesFor(A, 1)).isTrue();
  }

  @Test
  void reasonNamesMembersThatHaveNotReported() {
    MachineDriver recovering = MachineDriverBuilder.of(5).recovering().report(A, 7);

    assertThat(recovering.notVotingReason())
        .contains("3 others that have one; no response from c, d, e");
    recovering.report(C, 7).report(D, 7);
    assertThat(recovering.notVotingReason())
        .contains("it waits a lease")
        .endsWith("no response from e");
  }
}

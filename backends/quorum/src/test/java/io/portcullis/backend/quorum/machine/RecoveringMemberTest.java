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

/** A member without a ballot: new, or bereft of its disk. */
class RecoveringMemberTest {
  private static final long LONG = 15_000;

  @Test
  void itNeitherVotesNorPromises() {
    MachineDriver newcomer = MachineDriverBuilder.of(3).newcomer();

    assertThat(newcomer.votesFor(A, 5)).isFalse();
    assertThat(newcomer.wouldVoteFor(A, 5)).isFalse();
    assertThat(newcomer.promisesTo(A, 5, LEASE)).isFalse();
    assertThat(newcomer.onDisk()).isNull();
  }

  @Test
  void itDoesNotCampaign() {
    MachineDriver newcomer = MachineDriverBuilder.of(3).newcomer();

    newcomer.acquire();
    assertThat(newcomer.answers()).hasOnlyElementsOfType(LeaseResponse.Unknown.class);

    assertThat(newcomer.after(ROUND).tick().sent(PreVote.class)).isEmpty();
  }

  @Test
  void itBeginsAtOnceIfAllOthersHaveTakenPartInNothing() {
    MachineDriver newcomer = MachineDriverBuilder.of(3).newcomer().report(A, 0).reportOfNewcomer(C);

    assertThat(newcomer.onDisk()).isEqualTo(HardState.BLANK);
    assertThat(newcomer.votesFor(A, 1)).isTrue();
  }

  @Test
  void itWaitsForEveryLastOneToSaySo() {
    MachineDriver newcomer =
        MachineDriverBuilder.of(5).newcomer().report(A, 0).report(C, 0).report(D, 0).report(D, 0);

    assertThat(newcomer.votesFor(A, 1)).isFalse();
  }

  @Test
  void itDoesNotBeginAtOnceIfOneOfThemHasTakenPart() {
    MachineDriver newcomer = MachineDriverBuilder.of(3).newcomer().report(A, 0).report(C, 7);

    assertThat(newcomer.votesFor(A, 8)).isFalse();
  }

  @Test
  void itDoesNotBeginAtOnceWhereBlankMembersAreNotTrusted() {
    MachineDriver newcomer = MachineDriverBuilder.of(3).withoutTrustInBlankMembers().newcomer();

    newcomer.report(A, 0).report(C, 0);

    assertThat(newcomer.votesFor(A, 1)).isFalse();
  }

  @Test
  void itAsksAgainAfterTheLongestLeaseAndBeginsByThoseAnswers() {
    MachineDriver newcomer =
        MachineDriverBuilder.of(3).newcomer().report(A, 7).report(C, 7).after(MAX_LEASE - 1);
    newcomer.report(A, 7).report(C, 7);
    assertThat(newcomer.votesFor(A, 8)).isFalse();

    newcomer.after(1).tick();
    assertThat(newcomer.sent(Probe.class)).hasSize(2);
    assertThat(newcomer.votesFor(A, 8)).isFalse();

    newcomer.report(A, 7).report(C, 7);
    assertThat(newcomer.votesFor(A, 8)).isTrue();
  }

  @Test
  void anAnswerToAQuestionFromBeforeTheWaitWasOverCountsForNothing() {
    MachineDriver newcomer = MachineDriverBuilder.of(3).newcomer();
    long before = newcomer.newest(Probe.class).sequence();
    newcomer.report(A, 7).report(C, 7).after(MAX_LEASE).tick().report(A, 7);

    newcomer.hears(C, new Report(before, 7, true, LEASE));
    assertThat(newcomer.votesFor(A, 8)).isFalse();

    newcomer.report(C, 7);
    assertThat(newcomer.votesFor(A, 8)).isTrue();
  }

  @Test
  void aLongerLeaseThatSomebodyReportsIsWaitedOut() {
    MachineDriver newcomer = MachineDriverBuilder.of(3).newcomer();
    newcomer.hears(A, new Report(newcomer.newest(Probe.class).sequence(), 7, true, LONG));
    newcomer.report(C, 7);

    newcomer.after(LONG - 1).tick().report(A, 7).report(C, 7);
    assertThat(newcomer.votesFor(A, 8)).isFalse();

    newcomer.after(1).tick().report(A, 7).report(C, 7);
    assertThat(newcomer.votesFor(A, 8)).isTrue();
  }

  @Test
  void recoveringMemberWaitsOutALongerLeaseSeenLater() {
    MachineDriver newcomer = MachineDriverBuilder.of(3).newcomerAfterTheWait(1).report(A, 7);
    assertThat(newcomer.promisesTo(C, 7, LONG)).isFalse();

    newcomer.report(C, 7);
    assertThat(newcomer.votesFor(A, 8)).isFalse();

    newcomer.after(LONG - MAX_LEASE).tick().report(C, 7);
    assertThat(newcomer.votesFor(A, 8)).isFalse();
    newcomer.report(A, 7);
    assertThat(newcomer.votesFor(A, 8)).isTrue();
  }

  @Test
  void itNeedsSoManyOthersThatOneOfAnyMajorityIsAmongThem() {
    MachineDriver newcomer = MachineDriverBuilder.of(5).newcomerAfterTheWait(1);

    newcomer.report(A, 7).report(C, 7).report(C, 7);
    assertThat(newcomer.votesFor(A, 8)).isFalse();

    newcomer.report(D, 7);
    assertThat(newcomer.votesFor(A, 8)).isTrue();
  }

  @Test
  void otherNewcomersAreNotAmongThese() {
    MachineDriver newcomer = MachineDriverBuilder.of(5).newcomerAfterTheWait(1);

    newcomer.report(A, 7).report(C, 7).reportOfNewcomer(D).reportOfNewcomer(E);
    assertThat(newcomer.votesFor(A, 8)).isFalse();

    newcomer.report(E, 0);
    assertThat(newcomer.votesFor(A, 8)).isTrue();
  }

  @Test
  void itVotesOnlyAboveTheHighestTermOfTheOthers() {
    MachineDriver newcomer =
        MachineDriverBuilder.of(3).newcomerAfterTheWait(1).report(A, 7).report(C, 6);

    assertThat(newcomer.votesFor(A, 7)).isFalse();
    assertThat(newcomer.votesFor(C, 7)).isFalse();
    assertThat(newcomer.votesFor(A, 8)).isTrue();
  }

  @Test
  void aTermThatItHeardALeaderOfCountsAsTheHighestToo() {
    MachineDriver newcomer = MachineDriverBuilder.of(3).newcomer();
    assertThat(newcomer.promisesTo(A, 9, LEASE)).isFalse();

    newcomer.report(A, 7).report(C, 6).after(MAX_LEASE).tick().report(A, 7).report(C, 6);

    assertThat(newcomer.votesFor(C, 9)).isFalse();
    assertThat(newcomer.votesFor(C, 10)).isTrue();
  }

  @Test
  void itMayPromiseInTheHighestTermOfTheOthers() {
    MachineDriver newcomer =
        MachineDriverBuilder.of(3).newcomerAfterTheWait(1).report(A, 7).report(C, 6);

    assertThat(newcomer.promisesTo(A, 7, LEASE)).isTrue();
  }

  @Test
  void whatItHasLearntIsSavedWithTheVoteOfThatTermSpent() {
    MachineDriver newcomer =
        MachineDriverBuilder.of(3).newcomerAfterTheWait(1).report(A, 7).report(C, 6);

    assertThat(newcomer.onDisk()).isEqualTo(new HardState(7, HardState.SPENT, Duration.ZERO));
  }

  @Test
  void anElectionInWhichNobodyHasTakenPartAfterTheWaitIsANewOne() {
    MachineDriver newcomer =
        MachineDriverBuilder.of(5).withoutTrustInBlankMembers().newcomerAfterTheWait(0);

    newcomer.reportOfNewcomer(A).report(C, 0);
    assertThat(newcomer.votesFor(A, 1)).isFalse();

    newcomer.reportOfNewcomer(D);
    assertThat(newcomer.onDisk()).isEqualTo(HardState.BLANK);
    assertThat(newcomer.votesFor(A, 1)).isTrue();
  }

  @Test
  void itTellsThatItKeepsNoBallot() {
    MachineDriver newcomer = MachineDriverBuilder.of(3).newcomer();

    newcomer.hears(A, new Probe(9));

    assertThat(newcomer.sent(Report.class)).containsExactly(new Report(9, 0, false, LEASE));
  }

  @ParameterizedTest
  @ValueSource(longs = {10, 5_000})
  void anAnswerToAnEarlierProcessDoesNotMakeItBeginAtOnce(long firstOfEarlier) {
    MachineDriver before = MachineDriverBuilder.of(3).countingFrom(firstOfEarlier).newcomer();
    long earlier = before.newest(Probe.class).sequence();
    MachineDriver newcomer = MachineDriverBuilder.of(3).countingFrom(1_000).newcomer();

    newcomer.hears(A, new Report(earlier, 0, true, LEASE));
    newcomer.hears(C, new Report(earlier, 0, true, LEASE));

    assertThat(newcomer.votesFor(A, 1)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(longs = {10, 5_000})
  void anAnswerToAnEarlierProcessDoesNotCountAfterTheWait(long firstOfEarlier) {
    MachineDriver before =
        MachineDriverBuilder.of(3).countingFrom(firstOfEarlier).newcomerAfterTheWait(1);
    long earlier = before.newest(Probe.class).sequence();
    MachineDriver newcomer = MachineDriverBuilder.of(3).countingFrom(1_000).newcomerAfterTheWait(1);

    newcomer.hears(A, new Report(earlier, 7, true, LEASE));
    newcomer.hears(C, new Report(earlier, 7, true, LEASE));

    assertThat(newcomer.votesFor(A, 8)).isFalse();
  }

  @Test
  void theWaitCountsFromTheNewestLink() {
    MachineDriver newcomer = MachineDriverBuilder.of(3).newcomerAfterTheWait(7).report(A, 7);

    newcomer.linked(C).report(C, 7).after(MAX_LEASE - 1).tick().report(C, 7);
    assertThat(newcomer.votesFor(A, 8)).isFalse();

    newcomer.after(1).tick().report(C, 7);
    assertThat(newcomer.votesFor(A, 8)).isTrue();
  }

  @Test
  void anAnswerFromBeforeTheNewestLinkDoesNotBeginTheWait() {
    MachineDriver newcomer = MachineDriverBuilder.of(3).newcomerAfterTheWait(7).report(A, 7);
    long before = newcomer.newest(Probe.class).sequence();
    newcomer.linked(C).hears(C, new Report(before, 7, true, LEASE)).after(1).report(C, 7);

    newcomer.after(MAX_LEASE - 1).tick().report(C, 7);
    assertThat(newcomer.votesFor(A, 8)).isFalse();

    newcomer.after(1).tick().report(C, 7);
    assertThat(newcomer.votesFor(A, 8)).isTrue();
  }

  @Test
  void oneThatHadTakenPartInNothingMayHaveDoneSoSinceItsLinkWasLost() {
    MachineDriver newcomer =
        MachineDriverBuilder.of(3).newcomer().report(A, 0).unlinked(A).report(C, 0);
    assertThat(newcomer.votesFor(A, 1)).isFalse();

    newcomer.linked(A).report(A, 0);
    assertThat(newcomer.votesFor(A, 1)).isTrue();
  }

  @Test
  void itNamesThoseItHasNotHeardFrom() {
    MachineDriver newcomer = MachineDriverBuilder.of(5).newcomer().report(A, 7);

    assertThat(newcomer.notVotingReason())
        .contains("3 others that have one; not heard from c, d, e");
    newcomer.report(C, 7).report(D, 7);
    assertThat(newcomer.notVotingReason())
        .contains("it waits a lease")
        .endsWith("not heard from e");
  }
}

package io.portcullis.backend.quorum.machine;

import static io.portcullis.backend.quorum.machine.Stage.A;
import static io.portcullis.backend.quorum.machine.Stage.C;
import static io.portcullis.backend.quorum.machine.Stage.D;
import static io.portcullis.backend.quorum.machine.Stage.E;
import static io.portcullis.backend.quorum.machine.Stage.LEASE;
import static io.portcullis.backend.quorum.machine.Stage.LONGEST_LEASE;
import static io.portcullis.backend.quorum.machine.Stage.ROUND;
import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.backend.quorum.machine.Message.PreVote;
import io.portcullis.backend.quorum.machine.Message.Probe;
import io.portcullis.backend.quorum.machine.Message.Report;
import io.portcullis.election.store.Answer;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A member without a ballot: new, or bereft of its disk. */
class NewcomerTest {
  private static final long LONG = 15_000;

  @Test
  void itNeitherVotesNorPromises() {
    Puppet newcomer = Stage.of(3).newcomer();

    assertThat(newcomer.votesFor(A, 5)).isFalse();
    assertThat(newcomer.wouldVoteFor(A, 5)).isFalse();
    assertThat(newcomer.promisesTo(A, 5, LEASE)).isFalse();
    assertThat(newcomer.onDisk()).isNull();
  }

  @Test
  void itDoesNotCampaign() {
    Puppet newcomer = Stage.of(3).newcomer();

    newcomer.acquire();
    assertThat(newcomer.answers()).hasOnlyElementsOfType(Answer.Unknown.class);

    assertThat(newcomer.after(ROUND).tick().sent(PreVote.class)).isEmpty();
  }

  @Test
  void itBeginsAtOnceIfAllOthersHaveTakenPartInNothing() {
    Puppet newcomer = Stage.of(3).newcomer().report(A, 0).reportOfNewcomer(C);

    assertThat(newcomer.onDisk()).isEqualTo(Ballot.BLANK);
    assertThat(newcomer.votesFor(A, 1)).isTrue();
  }

  @Test
  void itWaitsForEveryLastOneToSaySo() {
    Puppet newcomer = Stage.of(5).newcomer().report(A, 0).report(C, 0).report(D, 0).report(D, 0);

    assertThat(newcomer.votesFor(A, 1)).isFalse();
  }

  @Test
  void itDoesNotBeginAtOnceIfOneOfThemHasTakenPart() {
    Puppet newcomer = Stage.of(3).newcomer().report(A, 0).report(C, 7);

    assertThat(newcomer.votesFor(A, 8)).isFalse();
  }

  @Test
  void itDoesNotBeginAtOnceWhereBlankMembersAreNotTrusted() {
    Puppet newcomer = Stage.of(3).withoutTrustInBlankMembers().newcomer();

    newcomer.report(A, 0).report(C, 0);

    assertThat(newcomer.votesFor(A, 1)).isFalse();
  }

  @Test
  void itAsksAgainAfterTheLongestLeaseAndBeginsByThoseAnswers() {
    Puppet newcomer = Stage.of(3).newcomer().report(A, 7).report(C, 7).after(LONGEST_LEASE - 1);
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
    Puppet newcomer = Stage.of(3).newcomer();
    long before = newcomer.newest(Probe.class).sequence();
    newcomer.report(A, 7).report(C, 7).after(LONGEST_LEASE).tick().report(A, 7);

    newcomer.hears(C, new Report(before, 7, true, LEASE));
    assertThat(newcomer.votesFor(A, 8)).isFalse();

    newcomer.report(C, 7);
    assertThat(newcomer.votesFor(A, 8)).isTrue();
  }

  @Test
  void aLongerLeaseThatSomebodyReportsIsWaitedOut() {
    Puppet newcomer = Stage.of(3).newcomer();
    newcomer.hears(A, new Report(newcomer.newest(Probe.class).sequence(), 7, true, LONG));
    newcomer.report(C, 7);

    newcomer.after(LONG - 1).tick().report(A, 7).report(C, 7);
    assertThat(newcomer.votesFor(A, 8)).isFalse();

    newcomer.after(1).tick().report(A, 7).report(C, 7);
    assertThat(newcomer.votesFor(A, 8)).isTrue();
  }

  @Test
  void aLongerLeaseThatIsHeardOfAfterTheWaitIsWaitedOutTooAndAllAreAskedAnew() {
    Puppet newcomer = Stage.of(3).newcomerAfterTheWait(1).report(A, 7);
    assertThat(newcomer.promisesTo(C, 7, LONG)).isFalse();

    newcomer.report(C, 7);
    assertThat(newcomer.votesFor(A, 8)).isFalse();

    newcomer.after(LONG - LONGEST_LEASE).tick().report(C, 7);
    assertThat(newcomer.votesFor(A, 8)).isFalse();
    newcomer.report(A, 7);
    assertThat(newcomer.votesFor(A, 8)).isTrue();
  }

  @Test
  void itNeedsSoManyOthersThatOneOfAnyMajorityIsAmongThem() {
    Puppet newcomer = Stage.of(5).newcomerAfterTheWait(1);

    newcomer.report(A, 7).report(C, 7).report(C, 7);
    assertThat(newcomer.votesFor(A, 8)).isFalse();

    newcomer.report(D, 7);
    assertThat(newcomer.votesFor(A, 8)).isTrue();
  }

  @Test
  void otherNewcomersAreNotAmongThese() {
    Puppet newcomer = Stage.of(5).newcomerAfterTheWait(1);

    newcomer.report(A, 7).report(C, 7).reportOfNewcomer(D).reportOfNewcomer(E);
    assertThat(newcomer.votesFor(A, 8)).isFalse();

    newcomer.report(E, 0);
    assertThat(newcomer.votesFor(A, 8)).isTrue();
  }

  @Test
  void itVotesOnlyAboveTheHighestTermOfTheOthers() {
    Puppet newcomer = Stage.of(3).newcomerAfterTheWait(1).report(A, 7).report(C, 6);

    assertThat(newcomer.votesFor(A, 7)).isFalse();
    assertThat(newcomer.votesFor(C, 7)).isFalse();
    assertThat(newcomer.votesFor(A, 8)).isTrue();
  }

  @Test
  void aTermThatItHeardALeaderOfCountsAsTheHighestToo() {
    Puppet newcomer = Stage.of(3).newcomer();
    assertThat(newcomer.promisesTo(A, 9, LEASE)).isFalse();

    newcomer.report(A, 7).report(C, 6).after(LONGEST_LEASE).tick().report(A, 7).report(C, 6);

    assertThat(newcomer.votesFor(C, 9)).isFalse();
    assertThat(newcomer.votesFor(C, 10)).isTrue();
  }

  @Test
  void itMayPromiseInTheHighestTermOfTheOthers() {
    Puppet newcomer = Stage.of(3).newcomerAfterTheWait(1).report(A, 7).report(C, 6);

    assertThat(newcomer.promisesTo(A, 7, LEASE)).isTrue();
  }

  @Test
  void whatItHasLearntIsSavedWithTheVoteOfThatTermSpent() {
    Puppet newcomer = Stage.of(3).newcomerAfterTheWait(1).report(A, 7).report(C, 6);

    assertThat(newcomer.onDisk()).isEqualTo(new Ballot(7, Ballot.SPENT, Duration.ZERO));
  }

  @Test
  void anElectionInWhichNobodyHasTakenPartAfterTheWaitIsANewOne() {
    Puppet newcomer = Stage.of(5).withoutTrustInBlankMembers().newcomerAfterTheWait(0);

    newcomer.reportOfNewcomer(A).report(C, 0);
    assertThat(newcomer.votesFor(A, 1)).isFalse();

    newcomer.reportOfNewcomer(D);
    assertThat(newcomer.onDisk()).isEqualTo(Ballot.BLANK);
    assertThat(newcomer.votesFor(A, 1)).isTrue();
  }

  @Test
  void itTellsThatItKeepsNoBallot() {
    Puppet newcomer = Stage.of(3).newcomer();

    newcomer.hears(A, new Probe(9));

    assertThat(newcomer.sent(Report.class)).containsExactly(new Report(9, 0, false, LEASE));
  }

  @ParameterizedTest
  @ValueSource(longs = {10, 5_000})
  void anAnswerToAnEarlierProcessDoesNotMakeItBeginAtOnce(long firstOfEarlier) {
    Puppet before = Stage.of(3).countingFrom(firstOfEarlier).newcomer();
    long earlier = before.newest(Probe.class).sequence();
    Puppet newcomer = Stage.of(3).countingFrom(1_000).newcomer();

    newcomer.hears(A, new Report(earlier, 0, true, LEASE));
    newcomer.hears(C, new Report(earlier, 0, true, LEASE));

    assertThat(newcomer.votesFor(A, 1)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(longs = {10, 5_000})
  void anAnswerToAnEarlierProcessDoesNotCountAfterTheWait(long firstOfEarlier) {
    Puppet before = Stage.of(3).countingFrom(firstOfEarlier).newcomerAfterTheWait(1);
    long earlier = before.newest(Probe.class).sequence();
    Puppet newcomer = Stage.of(3).countingFrom(1_000).newcomerAfterTheWait(1);

    newcomer.hears(A, new Report(earlier, 7, true, LEASE));
    newcomer.hears(C, new Report(earlier, 7, true, LEASE));

    assertThat(newcomer.votesFor(A, 8)).isFalse();
  }

  @Test
  void theWaitCountsFromTheNewestLink() {
    Puppet newcomer = Stage.of(3).newcomerAfterTheWait(7).report(A, 7);

    newcomer.linked(C).report(C, 7).after(LONGEST_LEASE - 1).tick().report(C, 7);
    assertThat(newcomer.votesFor(A, 8)).isFalse();

    newcomer.after(1).tick().report(C, 7);
    assertThat(newcomer.votesFor(A, 8)).isTrue();
  }

  @Test
  void anAnswerFromBeforeTheNewestLinkDoesNotBeginTheWait() {
    Puppet newcomer = Stage.of(3).newcomerAfterTheWait(7).report(A, 7);
    long before = newcomer.newest(Probe.class).sequence();
    newcomer.linked(C).hears(C, new Report(before, 7, true, LEASE)).after(1).report(C, 7);

    newcomer.after(LONGEST_LEASE - 1).tick().report(C, 7);
    assertThat(newcomer.votesFor(A, 8)).isFalse();

    newcomer.after(1).tick().report(C, 7);
    assertThat(newcomer.votesFor(A, 8)).isTrue();
  }

  @Test
  void oneThatHadTakenPartInNothingMayHaveDoneSoSinceItsLinkWasLost() {
    Puppet newcomer = Stage.of(3).newcomer().report(A, 0).unlinked(A).report(C, 0);
    assertThat(newcomer.votesFor(A, 1)).isFalse();

    newcomer.linked(A).report(A, 0);
    assertThat(newcomer.votesFor(A, 1)).isTrue();
  }

  @Test
  void itNamesThoseItHasNotHeardFrom() {
    Puppet newcomer = Stage.of(5).newcomer().report(A, 7);

    assertThat(newcomer.impediment()).contains("3 others that have one; not heard from c, d, e");
    newcomer.report(C, 7).report(D, 7);
    assertThat(newcomer.impediment()).contains("it waits a lease").endsWith("not heard from e");
  }
}

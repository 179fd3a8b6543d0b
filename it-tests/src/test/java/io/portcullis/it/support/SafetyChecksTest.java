package io.portcullis.it.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.it.support.DualLeaderDetector.Sample;
import io.portcullis.it.support.JournalCheck.Entry;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Proves that the safety checks can fail. */
class SafetyChecksTest {
  private static final Duration LEASE = Duration.ofSeconds(3);

  private static final String A_LEADS =
      "2026-01-01T00:00:00.000Z portcullis election=writer node=a-1-9f31 epoch=7 became leader"
          + " from=STANDBY why=\"lease acquired\"";
  private static final String A_LOST =
      "2026-01-01T00:00:01.000Z portcullis election=writer node=a-1-9f31 epoch=7 lost leadership"
          + " from=LEADER to=STANDBY why=\"renewal failed 4 times\"";

  @Test
  void logRejectsTwoGrantsWithinALease() {
    assertThat(violations(A_LEADS, grant("00:00:02.000", "b-2-11aa", 8))).hasSize(1);
  }

  @Test
  void logAcceptsSecondGrantAfterTheFirstEnded() {
    assertThat(violations(A_LEADS, A_LOST, grant("00:00:02.000", "b-2-11aa", 8))).isEmpty();
  }

  @Test
  void logRejectsFirstGrantEndingLongAfterTheSecondBegan() {
    String late = A_LOST.replace("00:00:01.000", "00:00:02.000");

    assertThat(violations(A_LEADS, late, grant("00:00:00.500", "b-2-11aa", 8))).hasSize(1);
  }

  @Test
  void logAcceptsHandoverLoggedAfterTheSuccessor() {
    assertThat(violations(A_LEADS, A_LOST, grant("00:00:00.900", "b-2-11aa", 8))).isEmpty();
  }

  @Test
  void logAcceptsGrantAfterALeaseWithoutLoggedEnd() {
    assertThat(violations(A_LEADS, grant("00:00:03.100", "b-2-11aa", 8))).isEmpty();
  }

  @Test
  void logRejectsFallingOrRepeatedEpochs() {
    assertThat(violations(A_LEADS, A_LOST, grant("00:01:00.000", "b-2-11aa", 6))).hasSize(1);
    assertThat(violations(A_LEADS, A_LOST, grant("00:01:00.000", "b-2-11aa", 7))).hasSize(1);
  }

  @Test
  void logAcceptsReopeningUnderTheSameEpoch() {
    assertThat(violations(A_LEADS, A_LOST, reopening("00:00:02.000", "a-1-9f31"))).isEmpty();
    assertThat(violations(A_LEADS, A_LOST, reopening("00:00:02.000", "a-2-9f31"))).hasSize(1);
    assertThat(violations(A_LEADS, reopening("00:00:02.000", "a-1-9f31"))).hasSize(1);
  }

  @Test
  void logRejectsReopeningAfterASuccessor() {
    String again = reopening("00:00:02.000", "a-1-9f31");

    assertThat(violations(A_LEADS, A_LOST, grant("00:00:01.500", "b-2-11aa", 8), again)).hasSize(1);
    assertThat(violations(A_LEADS, A_LOST, again, grant("00:00:04.400", "b-2-11aa", 8))).hasSize(1);
    assertThat(violations(A_LEADS, A_LOST, again, grant("00:00:05.500", "b-2-11aa", 8))).isEmpty();
  }

  @Test
  void logIdentifiesNodesByTheirIds() {
    String identity = "my-node-4711-1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed";

    assertThat(LeadershipLog.ofLines(Stream.of(grant("00:00:00.000", identity, 1))).leaders())
        .containsExactly("my-node");
  }

  @Test
  void journalRejectsReturningWriterWithoutAGrant() {
    JournalCheck journal = journal("a", "a", "b", "a", "b");

    assertThat(journal.runs()).containsExactly("a", "b", "a", "b");
    assertThat(journal.violations(List.of("a", "b", "a", "b"))).isEmpty();
    assertThat(journal.violations(List.of("a", "b", "a"))).hasSize(1);
    assertThat(journal.violations(List.of("a", "b"))).hasSize(1);
  }

  @Test
  void journalCheckReportsContradictedResponses() {
    JournalCheck journal = journal("a");

    assertThat(journal.contradictedResponses(List.of(write("0", WriteResult.Outcome.ACCEPTED))))
        .isEmpty();
    assertThat(journal.contradictedResponses(List.of(write("0", WriteResult.Outcome.REFUSED))))
        .hasSize(1);
    assertThat(journal.contradictedResponses(List.of(write("1", WriteResult.Outcome.ACCEPTED))))
        .hasSize(1);
    assertThat(journal.contradictedResponses(List.of(write("1", WriteResult.Outcome.REFUSED))))
        .isEmpty();
  }

  @Test
  void detectorRejectsLeaderAfterItsSuccessorWasSeen() {
    assertThat(DualLeaderDetector.violations(List.of(leads("b", 8, 10, 20), leads("a", 7, 21, 30))))
        .hasSize(1);
  }

  @Test
  void detectorAcceptsHandoverDuringOverlappingRequests() {
    assertThat(DualLeaderDetector.violations(List.of(leads("b", 8, 10, 20), leads("a", 7, 9, 30))))
        .isEmpty();
  }

  @Test
  void detectorRejectsOneEpochOnTwoNodes() {
    assertThat(
            DualLeaderDetector.violations(List.of(leads("a", 7, 10, 20), leads("b", 7, 900, 901))))
        .hasSize(1);
  }

  @Test
  void detectorRejectsStatus200FromANonLeader() {
    assertThat(DualLeaderDetector.violations(List.of(new Sample("a", 200, "STANDBY", 7, 1, 2))))
        .hasSize(1);
  }

  private static List<String> violations(String... lines) {
    return LeadershipLog.ofLines(Stream.of(lines)).violations(LEASE);
  }

  private static String grant(String time, String node, long epoch) {
    return "2026-01-01T"
        + time
        + "Z portcullis election=writer node="
        + node
        + " epoch="
        + epoch
        + " became leader from=STANDBY why=\"lease acquired\"";
  }

  private static String reopening(String time, String node) {
    return grant(time, node, 7).replace("lease acquired", "lease confirmed");
  }

  private static JournalCheck journal(String... writers) {
    return new JournalCheck(
        Stream.iterate(0, i -> i < writers.length, i -> i + 1)
            .map(i -> new Entry(Integer.toString(i), writers[i]))
            .toList());
  }

  private static WriteResult write(String id, WriteResult.Outcome outcome) {
    return new WriteResult(id, outcome, "");
  }

  private static Sample leads(String node, long epoch, long sent, long received) {
    return new Sample(node, 200, "LEADER", epoch, sent, received);
  }
}

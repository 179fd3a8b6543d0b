package io.portcullis.it.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Proves that the check can fail. */
class StatusConsistencyCheckTest {
  private static final LeadershipLog TRANSCRIPT =
      LeadershipLog.ofLines(
          Stream.of(
              "2026-01-01T00:00:00.000Z portcullis election=writer node=a-1-9f31 epoch=7 became"
                  + " leader from=STANDBY why=\"lease acquired\"",
              "2026-01-01T00:00:01.000Z portcullis election=writer node=b-2-11aa epoch=8 became"
                  + " leader from=STANDBY why=\"lease acquired\""));

  /** Node a led until a moment between 20 and 30, and then followed. */
  private static final List<StatusObservation> PAGE =
      List.of(
          page("LEADER", 7, "first", 0),
          page("LEADER", 7, "first", 10),
          page("LEADER", 7, "first", 20),
          page("STANDBY", 7, "second", 30),
          page("STANDBY", 8, "second", 40),
          page("STANDBY", 8, "second", 50));

  private static StatusObservation page(String role, long epoch, String since, long at) {
    return new StatusObservation("page", "a", role, epoch, since, at, at + 1);
  }

  private static StatusObservation jmx(String node, String role, long epoch, long from, long to) {
    return new StatusObservation("jmx", node, role, epoch, "", from, to);
  }

  private static List<String> violations(StatusObservation... others) {
    return StatusConsistencyCheck.of(PAGE, List.of(others), TRANSCRIPT).violations();
  }

  @Test
  void unchangedStatusMustBeReportedUnchanged() {
    assertThat(violations(jmx("a", "LEADER", 7, 12, 18))).isEmpty();
    assertThat(violations(jmx("a", "CANDIDATE", 7, 12, 18))).hasSize(1);
    assertThat(violations(jmx("a", "STANDBY", 8, 42, 48))).isEmpty();
    assertThat(violations(jmx("a", "DRAINED", 8, 42, 48))).hasSize(1);
  }

  @Test
  void roleChangedBetweenReferencesMayBeEitherOne() {
    assertThat(violations(jmx("a", "LEADER", 7, 22, 28))).isEmpty();
    assertThat(violations(jmx("a", "STANDBY", 7, 22, 28))).isEmpty();
    assertThat(violations(jmx("a", "CANDIDATE", 7, 12, 38))).isEmpty();
  }

  @Test
  void epochOutsideTheReferenceRangeIsReported() {
    assertThat(violations(jmx("a", "STANDBY", 7, 42, 48))).hasSize(1);
    assertThat(violations(jmx("a", "STANDBY", 8, 22, 28))).hasSize(1);
    assertThat(violations(jmx("a", "STANDBY", 8, 32, 38))).isEmpty();
  }

  @Test
  void leaderWithoutAGrantForItsEpochIsReported() {
    assertThat(violations(jmx("b", "LEADER", 8, 42, 48))).isEmpty();
    assertThat(violations(jmx("b", "LEADER", 9, 42, 48))).hasSize(1);
    assertThat(violations(jmx("a", "LEADER", 8, 32, 38))).isNotEmpty();
  }

  @Test
  void leaderAfterAnObservedSuccessorIsReported() {
    assertThat(violations(jmx("b", "LEADER", 8, 2, 4))).isNotEmpty();
  }

  @Test
  void observationWithoutReferenceIsIgnored() {
    assertThat(violations(jmx("a", "STANDBY", 9, 60, 61))).isEmpty();
    assertThat(
            StatusConsistencyCheck.of(PAGE, List.of(jmx("a", "LEADER", 7, 12, 18)), TRANSCRIPT)
                .confirmed())
        .containsOnlyKeys("jmx");
  }
}

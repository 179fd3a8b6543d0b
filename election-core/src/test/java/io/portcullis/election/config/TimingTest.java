package io.portcullis.election.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimingTest {
  private static List<String> problems(TimingBuilder timing) {
    InvalidElectionException refused =
        catchThrowableOfType(InvalidElectionException.class, timing::build);
    return refused == null ? List.of() : refused.problems();
  }

  @Test
  void defaultTimingIsThatOfRedis() {
    Timing timing = Timing.builder().build();

    assertThat(timing.lease()).isEqualTo(Duration.ofSeconds(30));
    assertThat(timing.renew()).isEqualTo(Duration.ofSeconds(10));
    assertThat(timing.marginNanos()).isEqualTo(Duration.ofMillis(600).toNanos());
    assertThat(timing.validNanos()).isEqualTo(Duration.ofMillis(29_400).toNanos());
    assertThat(timing.retryPauseNanos(1)).isEqualTo(Duration.ofMillis(500).toNanos());
    assertThat(timing.retryPauseNanos(9)).isEqualTo(Duration.ofSeconds(2).toNanos());
  }

  @Test
  void unsetTimingsAreDerivedFromTheLease() {
    Timing timing = Timing.builder().lease(Duration.ofSeconds(3)).build();

    assertThat(timing.renew()).isEqualTo(Duration.ofSeconds(1));
    assertThat(timing.askTimeout()).isEqualTo(Duration.ofMillis(600));
    assertThat(timing.retry())
        .containsExactly(Duration.ofMillis(50), Duration.ofMillis(100), Duration.ofMillis(200));
    assertThat(timing.heldBackoff().cap()).isEqualTo(Duration.ofSeconds(6));
  }

  @Test
  void retriesMustFitIntoTheRenewDeadline() {
    assertThat(problems(Timing.builder().renewDeadline(Duration.ofSeconds(11))))
        .singleElement()
        .asString()
        .startsWith("renew plus all retries is 13500ms");
  }

  @Test
  void gateShutsAtTheRenewDeadlineIfEarlierThanTheLease() {
    Timing timing = Timing.builder().renewDeadline(Duration.ofSeconds(20)).build();

    assertThat(timing.validNanos()).isEqualTo(Duration.ofSeconds(20).toNanos());
  }

  @Test
  void eachViolatedRelationIsReportedSeparately() {
    List<String> problems =
        problems(
            Timing.builder()
                .lease(Duration.ofSeconds(10))
                .renew(Duration.ofSeconds(12))
                .askTimeout(Duration.ofSeconds(20))
                .renewDeadline(Duration.ofSeconds(11))
                .longestLease(Duration.ofSeconds(9)));

    assertThat(problems)
        .hasSize(6)
        .anySatisfy(it -> assertThat(it).startsWith("renew 12s").contains("lease minus margin"))
        .anySatisfy(it -> assertThat(it).startsWith("renew 12s").contains("renew-deadline 11s"))
        .anySatisfy(it -> assertThat(it).startsWith("renew-deadline 11s").contains("lease 10s"))
        .anySatisfy(it -> assertThat(it).startsWith("longest-lease 9s"))
        .anySatisfy(it -> assertThat(it).startsWith("renew plus all retries"))
        .anySatisfy(it -> assertThat(it).startsWith("ask-timeout 20s"));
  }

  @Test
  void durationsMustBePositiveAndBounded() {
    assertThat(problems(Timing.builder().askTimeout(Duration.ZERO)))
        .singleElement()
        .asString()
        .startsWith("ask-timeout is 0s");
    assertThat(problems(Timing.builder().drain(Duration.ofSeconds(-1))))
        .singleElement()
        .asString()
        .startsWith("drain is -1s");
    assertThat(problems(Timing.builder().longestLease(Duration.ofDays(400))))
        .singleElement()
        .asString()
        .contains("at most");
    assertThat(problems(Timing.builder().retryThenStepDown(List.of())))
        .singleElement()
        .asString()
        .startsWith("retry is empty");
  }

  @Test
  void heartbeatIsNotStaleWithinTheLease() {
    assertThat(Timing.builder().build().stale()).isNull();
    assertThat(Timing.builder().stale(Duration.ofSeconds(30)).build().stale())
        .isEqualTo(Duration.ofSeconds(30));
    assertThat(problems(Timing.builder().stale(Duration.ofSeconds(29))))
        .singleElement()
        .asString()
        .startsWith("stale 29s must not be shorter than lease 30s");
    assertThat(problems(Timing.builder().stale(Duration.ZERO)))
        .singleElement()
        .asString()
        .startsWith("stale is 0s");
  }

  @Test
  void invalidFractionsAreRefused() {
    assertThat(problems(Timing.builder().drift(0.5)))
        .singleElement()
        .asString()
        .startsWith("drift is 0.5");
    assertThat(problems(Timing.builder().drift(Double.NaN))).hasSize(1);
    assertThat(problems(Timing.builder().renewJitter(1)))
        .singleElement()
        .asString()
        .startsWith("jitter is 1.0");
    assertThat(
            problems(
                Timing.builder()
                    .heldBackoff(new Backoff(Duration.ofSeconds(2), Duration.ofSeconds(1), 0))))
        .singleElement()
        .asString()
        .contains("must not be capped below");
  }

  @Test
  void renewalCheckIncludesJitter() {
    assertThatThrownBy(
            () ->
                Timing.builder()
                    .lease(Duration.ofSeconds(10))
                    .renew(Duration.ofSeconds(9))
                    .retryUntilLapse(List.of(Duration.ofSeconds(1)))
                    .renewJitter(0.2)
                    .build())
        .isInstanceOf(InvalidElectionException.class)
        .hasMessageContaining("with its jitter 10800ms");
  }

  @Test
  void backoffDoublesUpToItsCapWithinJitter() {
    Backoff pace = new Backoff(Duration.ofSeconds(5), Duration.ofSeconds(60), 0.1);

    assertThat(pace.pauseNanos(1, 0.5)).isEqualTo(Duration.ofSeconds(5).toNanos());
    assertThat(pace.pauseNanos(2, 0.5)).isEqualTo(Duration.ofSeconds(10).toNanos());
    assertThat(pace.pauseNanos(1_000, 0.5)).isEqualTo(Duration.ofSeconds(60).toNanos());
    assertThat(pace.pauseNanos(1, 0)).isEqualTo(Duration.ofMillis(4_500).toNanos());
    assertThat(Backoff.between(Duration.ofMillis(200), Duration.ofMillis(800)).pauseNanos(5, 0))
        .isEqualTo(Duration.ofMillis(200).toNanos());
  }

  @Test
  @SuppressWarnings("NullAway") // The point is what happens to callers without such a check.
  void missingElectionConfigValuesAreNamed() {
    InvalidElectionException refused =
        catchThrowableOfType(
            InvalidElectionException.class, () -> new ElectionConfig("", null, " ", null, null));

    assertThat(refused.problems())
        .hasSize(4)
        .anySatisfy(it -> assertThat(it).startsWith("scope is missing"))
        .anySatisfy(it -> assertThat(it).startsWith("name is missing"))
        .anySatisfy(it -> assertThat(it).startsWith("identity is missing").contains("NodeIdentity"))
        .anySatisfy(it -> assertThat(it).startsWith("timing is missing"));
  }
}

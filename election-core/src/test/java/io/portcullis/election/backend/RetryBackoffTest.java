package io.portcullis.election.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.election.config.Backoff;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RetryBackoffTest {
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofMillis(100), Duration.ofMillis(350), 0.5);

  private static final double MIDDLE = 0.5;

  @Test
  void pausesGrowToTheCapAndStartAgainAfterASuccess() {
    RetryBackoff retry = new RetryBackoff(BACKOFF, () -> MIDDLE);

    assertThat(nextMillis(retry)).isEqualTo(100);
    assertThat(nextMillis(retry)).isEqualTo(200);
    assertThat(nextMillis(retry)).isEqualTo(350);
    assertThat(nextMillis(retry)).isEqualTo(350);
    assertThat(retry.failures()).isEqualTo(4);

    retry.reset();
    assertThat(retry.failures()).isZero();
    assertThat(nextMillis(retry)).isEqualTo(100);
  }

  @Test
  void randomNumberSelectsThePauseWithinTheJitter() {
    assertThat(nextMillis(new RetryBackoff(BACKOFF, () -> 0))).isEqualTo(50);
    assertThat(nextMillis(new RetryBackoff(BACKOFF, () -> 0.75))).isEqualTo(125);
  }

  @Test
  void nodesThatFailTogetherRetryAtDifferentTimes() {
    Set<Long> pauses = new HashSet<>();
    for (int node = 0; node < 20; node++) {
      long pause = new RetryBackoff(BACKOFF).nextPauseNanos();
      assertThat(Duration.ofNanos(pause)).isBetween(Duration.ofMillis(50), Duration.ofMillis(150));
      pauses.add(pause);
    }
    assertThat(pauses).hasSizeGreaterThan(10);
  }

  @Test
  void backoffWithoutJitterIsRefused() {
    Backoff inStep = Backoff.steady(Duration.ofSeconds(1), 0);
    assertThatThrownBy(() -> new RetryBackoff(inStep))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("jitter");
  }

  private static long nextMillis(RetryBackoff retry) {
    return Duration.ofNanos(retry.nextPauseNanos()).toMillis();
  }
}

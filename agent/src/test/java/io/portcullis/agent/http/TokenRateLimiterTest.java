package io.portcullis.agent.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class TokenRateLimiterTest {
  private static final long START = Long.MAX_VALUE - 5; // The clock may overflow.
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final TokenRateLimiter attempts = new TokenRateLimiter();

  private void fail(int times) {
    for (int i = 0; i < times; i++) {
      attempts.recordFailure(START);
    }
  }

  @Test
  void firstWrongTokensAreNotDelayed() {
    fail(TokenRateLimiter.MAX_FREE_FAILURES - 1);

    assertThat(attempts.mayTry(START)).isTrue();
  }

  @Test
  void wrongTokensAreLimitedPerTimeWithoutLockout() {
    fail(TokenRateLimiter.MAX_FREE_FAILURES);
    int compared = 0;
    for (long now = START; now - START < 10 * SECOND; now += SECOND / 1000) {
      if (attempts.mayTry(now)) {
        attempts.recordFailure(now);
        compared++;
      }
    }

    assertThat(compared).isBetween(45, 50);
  }

  @Test
  void rightTokenOrAQuietMinuteResetsTheLimit() {
    fail(TokenRateLimiter.MAX_FREE_FAILURES);
    attempts.reset();
    assertThat(attempts.mayTry(START)).isTrue();

    fail(TokenRateLimiter.MAX_FREE_FAILURES);
    long later = START + 61 * SECOND;
    assertThat(attempts.mayTry(later)).isTrue();
    attempts.recordFailure(later);
    assertThat(attempts.mayTry(later)).isTrue();
  }
}

package io.portcullis.agent.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class TokenRateLimiterTest {
  private static final long START = Long.MAX_VALUE - 5; // The clock may pass its end.
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final TokenRateLimiter attempts = new TokenRateLimiter();

  private void fail(int times) {
    for (int i = 0; i < times; i++) {
      attempts.wasWrong(START);
    }
  }

  @Test
  void someWrongOnesAreFree() {
    fail(TokenRateLimiter.FREE - 1);

    assertThat(attempts.mayTry(START)).isTrue();
  }

  @Test
  void thenTheyAreCountedByTheClockAndNobodyIsShutOutForGood() {
    fail(TokenRateLimiter.FREE);
    int compared = 0;
    for (long now = START; now - START < 10 * SECOND; now += SECOND / 1000) {
      if (attempts.mayTry(now)) {
        attempts.wasWrong(now);
        compared++;
      }
    }

    assertThat(compared).isBetween(45, 50);
  }

  @Test
  void theRightOneOrAMinuteOfQuietStartsAnew() {
    fail(TokenRateLimiter.FREE);
    attempts.wasRight();
    assertThat(attempts.mayTry(START)).isTrue();

    fail(TokenRateLimiter.FREE);
    long later = START + 61 * SECOND;
    assertThat(attempts.mayTry(later)).isTrue();
    attempts.wasWrong(later);
    assertThat(attempts.mayTry(later)).isTrue();
  }
}

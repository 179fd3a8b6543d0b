package io.portcullis.agent.http;

import java.time.Duration;

/**
 * Rate limit for wrong admin tokens. The first ten failures are not limited. After that, five
 * tokens per second are checked and the others are rejected unchecked. The right token, or a minute
 * without a counted failure, resets the count.
 *
 * <p>One limit applies to all clients, since an attacker may use many addresses. It never blocks
 * completely, since an attacker may share the operator's address: an operator who repeats a command
 * eventually succeeds. At five guesses per second, guessing a random token of the minimum length is
 * infeasible.
 */
final class TokenRateLimiter {
  static final int MAX_FREE_FAILURES = 10;
  private static final Duration RESET_AFTER = Duration.ofMinutes(1);
  private static final Duration MIN_INTERVAL = Duration.ofMillis(200);

  private int failures;
  private long lastNanos;

  /** Whether a token may be checked now. */
  synchronized boolean mayTry(long now) {
    if (failures > 0 && now - lastNanos - RESET_AFTER.toNanos() > 0) {
      failures = 0;
    }
    return failures < MAX_FREE_FAILURES || now - lastNanos - MIN_INTERVAL.toNanos() > 0;
  }

  synchronized void recordFailure(long now) {
    failures = Math.min(failures + 1, MAX_FREE_FAILURES);
    lastNanos = now;
  }

  synchronized void reset() {
    failures = 0;
  }
}

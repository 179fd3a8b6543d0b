package io.portcullis.agent.http;

import java.time.Duration;

/**
 * How often a token may be tried. Ten wrong ones are free; then five a second are compared and the
 * others turned away unseen, until the right one or a minute of quiet makes the count start anew.
 *
 * <p>The limit is one for all clients, since whoever guesses may come from many addresses, and it
 * lets some through at every moment, since whoever guesses may share the operator's address: an
 * order that is repeated gets its turn. A token of the shortest allowed length, taken at random,
 * withstands five guesses a second for longer than there will be computers.
 */
final class TokenRateLimiter {
  static final int MAX_FREE_FAILURES = 10;
  private static final Duration RESET_AFTER = Duration.ofMinutes(1);
  private static final Duration MIN_INTERVAL = Duration.ofMillis(200);

  private int wrong;
  private long lastNanos;

  /** Whether one more may be compared now. */
  synchronized boolean mayTry(long now) {
    if (wrong > 0 && now - lastNanos - RESET_AFTER.toNanos() > 0) {
      wrong = 0;
    }
    return wrong < MAX_FREE_FAILURES || now - lastNanos - MIN_INTERVAL.toNanos() > 0;
  }

  synchronized void recordFailure(long now) {
    wrong = Math.min(wrong + 1, MAX_FREE_FAILURES);
    lastNanos = now;
  }

  synchronized void reset() {
    wrong = 0;
  }
}

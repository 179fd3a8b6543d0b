package io.portcullis.election.config;

import java.time.Duration;

/**
 * Exponential backoff with jitter: the first pause is doubled after every attempt up to a cap. Each
 * pause is randomized by the jitter so that nodes do not retry in step. A standby's pauses and
 * their jitter are values of each backend, set where it builds its {@link Timing}.
 *
 * @param first the pause after the first attempt
 * @param cap the longest pause before jitter
 * @param jitter fraction by which a pause may be longer or shorter, 0 to below 1
 */
public record Backoff(Duration first, Duration cap, double jitter) {
  private static final int MAX_DOUBLINGS = 30;

  /** A constant pause, apart from the jitter. */
  public static Backoff steady(Duration every, double jitter) {
    return new Backoff(every, every, jitter);
  }

  /** A pause distributed uniformly from {@code min} to {@code max}. */
  public static Backoff between(Duration min, Duration max) {
    if (min.compareTo(max) > 0) {
      throw new IllegalArgumentException("min " + min + " must not be above max " + max);
    }
    Duration middle = min.plus(max).dividedBy(2);
    double half = max.minus(min).toNanos() / 2.0;
    return steady(middle, middle.isZero() ? 0 : half / middle.toNanos());
  }

  /**
   * The pause in nanoseconds after a number of consecutive attempts.
   *
   * @param tries the number of attempts, from 1
   * @param chance a uniform random number from 0 to below 1
   */
  public long pauseNanos(int tries, double chance) {
    int doublings = Math.min(Math.max(tries, 1) - 1, MAX_DOUBLINGS);
    double grown = Math.min((double) cap.toNanos(), first.toNanos() * Math.pow(2, doublings));
    return (long) (grown * (1 + jitter * (2 * chance - 1)));
  }
}

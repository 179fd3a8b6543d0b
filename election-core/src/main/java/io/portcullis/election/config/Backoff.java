package io.portcullis.election.config;

import java.time.Duration;

/**
 * How long to pause between tries: the first pause, doubled after every try up to a cap, each
 * stretched or shrunk at random by the jitter so that nodes do not move in step.
 *
 * @param first the pause after the first try
 * @param cap the longest pause before jitter
 * @param jitter the share by which a pause may be longer or shorter, 0 to below 1
 */
public record Backoff(Duration first, Duration cap, double jitter) {
  private static final int MAX_DOUBLINGS = 30;

  /** The same pause every time, give or take the jitter. */
  public static Backoff steady(Duration every, double jitter) {
    return new Backoff(every, every, jitter);
  }

  /** A pause drawn evenly from {@code min} to {@code max}. */
  public static Backoff between(Duration min, Duration max) {
    if (min.compareTo(max) > 0) {
      throw new IllegalArgumentException("min " + min + " must not be above max " + max);
    }
    Duration middle = min.plus(max).dividedBy(2);
    double half = max.minus(min).toNanos() / 2.0;
    return steady(middle, middle.isZero() ? 0 : half / middle.toNanos());
  }

  /**
   * The pause after so many tries in a row, in nanoseconds.
   *
   * @param tries how many tries there were, from 1
   * @param chance an even random number from 0 to below 1
   */
  public long pauseNanos(int tries, double chance) {
    int doublings = Math.min(Math.max(tries, 1) - 1, MAX_DOUBLINGS);
    double grown = Math.min((double) cap.toNanos(), first.toNanos() * Math.pow(2, doublings));
    return (long) (grown * (1 + jitter * (2 * chance - 1)));
  }
}

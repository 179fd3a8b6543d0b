package io.portcullis.election.backend;

import io.portcullis.election.config.Backoff;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;

/**
 * The pauses of one loop that retries, such as one that reconnects: counts the failures in a row
 * and adds jitter, so that nodes whose connections were lost together, because the store was
 * restarted, do not return in step. Used by one thread.
 */
public final class RetryBackoff {
  private final Backoff backoff;
  private final DoubleSupplier random;
  private int failures;

  /**
   * Creates the pauses of a loop that has not failed yet.
   *
   * @throws IllegalArgumentException if the backoff has no jitter
   */
  public RetryBackoff(Backoff backoff) {
    this(backoff, () -> ThreadLocalRandom.current().nextDouble());
  }

  /**
   * Creates the pauses with a source of uniform random numbers from 0 to below 1.
   *
   * @throws IllegalArgumentException if the backoff has no jitter
   */
  public RetryBackoff(Backoff backoff, DoubleSupplier random) {
    if (!(backoff.jitter() > 0 && backoff.jitter() < 1)) {
      throw new IllegalArgumentException(
          "the jitter of a retry must be above 0 and below 1: " + backoff);
    }
    this.backoff = backoff;
    this.random = random;
  }

  /** Counts a failure and returns the pause before the next attempt, in nanoseconds. */
  public long nextPauseNanos() {
    failures++;
    return backoff.pauseNanos(failures, random.getAsDouble());
  }

  /** An attempt was successful: the next pause is the first one again. */
  public void reset() {
    failures = 0;
  }

  /** The number of failures in a row. */
  public int failures() {
    return failures;
  }
}

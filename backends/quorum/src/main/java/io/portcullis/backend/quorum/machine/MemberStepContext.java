package io.portcullis.backend.quorum.machine;

import java.time.Duration;

/**
 * Time and randomness for one step.
 *
 * @param nanos the monotonic clock, read after the step's input arrived and before its messages are
 *     sent
 * @param unixSecond the wall clock: lower bound for new terms, and basis for rejecting terms that
 *     are too high
 * @param chance a uniform random number, at least 0 and below 1
 */
public record MemberStepContext(long nanos, long unixSecond, double chance) {

  boolean hasReached(long instantNanos) {
    return nanos - instantNanos >= 0;
  }

  long plus(Duration length) {
    return nanos + length.toNanos();
  }
}

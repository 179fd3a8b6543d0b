package io.portcullis.backend.quorum.machine;

import java.time.Duration;

/**
 * Everything the outside contributes to one step.
 *
 * @param nanos the monotonic clock, read after what the step is told and before what it sends
 * @param unixSecond the wall clock: where a memory of terms begins, and how far terms are credible
 * @param chance an even random number from 0 to below 1
 */
public record MemberStepContext(long nanos, long unixSecond, double chance) {

  boolean hasReached(long instantNanos) {
    return nanos - instantNanos >= 0;
  }

  long plus(Duration length) {
    return nanos + length.toNanos();
  }
}

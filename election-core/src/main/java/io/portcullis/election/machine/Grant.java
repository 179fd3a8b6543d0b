package io.portcullis.election.machine;

import io.portcullis.election.config.Timing;

/**
 * The right to act under one epoch until a deadline on this node's monotonic clock.
 *
 * <p>Two nodes never hold live grants at once, provided that every clock runs at a rate from {@code
 * 1 - d} to {@code 1 + d} of real time, with {@code d} the configured drift. Let a grant of length
 * {@code L} be sent at real time {@code s}. The holder's deadline lies {@code L - margin} after
 * {@code s} on its own clock, so not later than {@code s + L(1 - 2d) / (1 - d)}. A successor is
 * granted the lease only after the same record has stood unchanged for {@code L} on the successor's
 * clock, counted from the arrival of an answer that showed it, thus from a moment not before {@code
 * s}: not earlier than {@code s + L / (1 + d)}. And {@code (1 - 2d)(1 + d) < 1 - d}, so the first
 * comes before the second. A store that counts itself gains nothing more, since its clock is held
 * to the same rates. A late reply only makes the grant shorter, because it counts from the sending.
 *
 * <p>Not covered: a thread that passed the gate and was then paused; that write is stopped only by
 * a resource that compares {@code epoch}. Nor a host suspended with its monotonic clock stopped,
 * until the first step after it wakes.
 *
 * @param epoch the fencing epoch
 * @param deadlineNanos when the right ends on the monotonic clock
 */
public record Grant(long epoch, long deadlineNanos) {

  /** What a store's yes to {@code asked} is worth: counted from when the question left. */
  static Grant of(long epoch, RequestInFlight asked, Timing timing) {
    return new Grant(epoch, asked.sentAt().nanos() + timing.validNanos());
  }

  /** True while the right lasts. Written as a difference, since the clock may wrap. */
  public boolean liveAt(long nowNanos) {
    return deadlineNanos - nowNanos > 0;
  }

  /** The one of the two that lasts longer: answers may overtake each other. */
  Grant orLater(Grant other) {
    return other.deadlineNanos - deadlineNanos > 0 ? other : this;
  }
}

package io.portcullis.election.machine;

import io.portcullis.election.config.Timing;

/**
 * The right to act under one epoch until a deadline on this node's monotonic clock.
 *
 * <p>Two nodes never hold live grants at once, provided that every clock runs at a rate from {@code
 * 1 - d} to {@code 1 + d} of real time, with {@code d} the configured drift. Let the request for a
 * grant of length {@code L} be sent at real time {@code s}. The holder's deadline lies {@code L -
 * margin} after {@code s} on its own clock, so not later than {@code s + L(1 - 2d) / (1 - d)}. A
 * successor is granted the lease only after the same record has remained unchanged for {@code L} on
 * the successor's clock, counted from the arrival of a response that showed it, thus from a moment
 * not before {@code s}: not earlier than {@code s + L / (1 + d)}. And {@code (1 - 2d)(1 + d) < 1 -
 * d}, so the deadline comes before the takeover. A store that counts the lease itself allows no
 * earlier takeover, since its clock is limited to the same rates. A late response only shortens the
 * grant, because the grant counts from the sending of the request.
 *
 * <p>Not covered: a thread that passed the gate and was then paused; only a resource that checks
 * {@code epoch} stops its write. Also not covered: a host that was suspended with its monotonic
 * clock stopped, until the first step after it wakes.
 *
 * @param epoch the fencing epoch
 * @param deadlineNanos when the right ends on the monotonic clock
 */
public record Grant(long epoch, long deadlineNanos) {

  /**
   * The grant earned by the store's positive response to {@code asked}: it counts from when the
   * request was sent.
   */
  static Grant of(long epoch, RequestInFlight asked, Timing timing) {
    return new Grant(epoch, asked.sentAt().nanos() + timing.validNanos());
  }

  /** True while the right lasts. Compared as a difference, since the clock may wrap. */
  public boolean liveAt(long nowNanos) {
    return deadlineNanos - nowNanos > 0;
  }

  /** Returns the grant that lasts longer: responses may overtake each other. */
  Grant orLater(Grant other) {
    return other.deadlineNanos - deadlineNanos > 0 ? other : this;
  }
}

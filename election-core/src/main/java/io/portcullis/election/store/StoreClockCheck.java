package io.portcullis.election.store;

import io.portcullis.election.store.LeaseResponse.Granted;
import io.portcullis.election.store.LeaseResponse.HeldByOther;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Corrects the remaining lease that a store reports, for stores that count by a wall clock that may
 * be stepped. It compares the store's clock with this node's monotonic clock from one response to
 * the next.
 *
 * <p><b>Why a step forward ends no wait early.</b> Let two responses be served at the store's times
 * {@code t1} and {@code t2}, the first received at {@code a1} and the second requested at {@code
 * s2} on this node's clock. At least {@code (s2 − a1) / (1 + d)} of real time passed between them,
 * {@code d} being the drift, in which a clock that is not stepped advances by at least {@code (s2 −
 * a1)(1 − d)/(1 + d)}. So all steps between the two responses sum up to at most
 *
 * <pre>step = t2 − t1 − (s2 − a1)(1 − d)/(1 + d)</pre>
 *
 * <p>A record that is new in the second response was written between the two. The store counts its
 * lease from the write, so it has counted at most {@code step} too much, and a wait that adds
 * {@code step} is long enough. The whole lease from the arrival is always long enough and limits
 * the sum. A record that was there before keeps the end that it was given first.
 *
 * <p>If the store's clock did not move forward, or the store has another incarnation, the step is
 * unknown, and the wait for a new record is its whole lease. Without a step the correction is the
 * time that the two requests took plus {@code 2d} of the pause between them.
 *
 * <p><b>What it does not detect:</b> steps before this node's first response, and a step back and
 * one forward that both fall between two responses.
 *
 * <p>It reads no clock itself. Not thread-safe: one thread uses it at a time.
 */
public final class StoreClockCheck {
  private static final long NANOS_PER_MILLI = 1_000_000;

  /** A store's time is truncated to whole milliseconds, so a difference may be one short. */
  private static final long RESOLUTION_MILLIS = 1;

  private final double slowest;
  private @Nullable Observation last;
  private @Nullable RecordVersion counted;
  private long countedEndNanos;

  /**
   * When the store served the last response, by its clock, and the latest possible time by this
   * node's clock.
   */
  private record Observation(String incarnation, long storeMillis, long arrivedNanos) {}

  /**
   * Creates a check for one store.
   *
   * @param drift how much faster or slower than real time a clock may run, as a fraction
   */
  public StoreClockCheck(double drift) {
    this.slowest = (1 - drift) / (1 + drift);
  }

  /**
   * Returns the response with the remaining time corrected.
   *
   * @param storeMillis the store's wall clock when it served the request
   * @param sentNanos a moment before the request was sent, on this node's monotonic clock
   * @param arrivedNanos a moment after the response arrived, on the same clock
   */
  public LeaseResponse checked(
      LeaseResponse response, long storeMillis, long sentNanos, long arrivedNanos) {
    if (response instanceof Granted granted) {
      last = new Observation(granted.incarnation(), storeMillis, arrivedNanos);
      return response;
    }
    if (!(response instanceof HeldByOther held)) {
      return response;
    }
    LeaseRecord seen = held.record();
    Observation now =
        new Observation(seen.recordVersion().incarnation(), storeMillis, arrivedNanos);
    Observation before = last;
    last = now;
    if (!seen.isHeld()) {
      return response;
    }
    if (!seen.recordVersion().equals(counted)) {
      counted = seen.recordVersion();
      countedEndNanos = arrivedNanos + remainingNanos(seen, before, now, sentNanos);
    }
    long left = Math.max(countedEndNanos - arrivedNanos, seen.remaining().toNanos());
    return new HeldByOther(
        new LeaseRecord(
            seen.recordVersion(),
            seen.address(),
            seen.lease(),
            Duration.ofNanos(left),
            seen.released()));
  }

  private long remainingNanos(
      LeaseRecord seen, @Nullable Observation before, Observation now, long sentNanos) {
    long shown = seen.remaining().toNanos();
    if (before == null) {
      return shown;
    }
    long whole = seen.lease().toNanos();
    if (!before.incarnation.equals(now.incarnation) || now.storeMillis < before.storeMillis) {
      return Math.max(shown, whole);
    }
    long missing = Math.max(0, whole - shown);
    return shown + Math.min(missing, stepNanos(before, now, sentNanos));
  }

  private long stepNanos(Observation before, Observation now, long sentNanos) {
    long ownNanos = Math.max(0, sentNanos - before.arrivedNanos);
    double storeNanos =
        ((double) now.storeMillis - before.storeMillis + RESOLUTION_MILLIS) * NANOS_PER_MILLI;
    return (long) Math.max(0, Math.ceil(storeNanos - ownNanos * slowest));
  }
}

package io.portcullis.election.machine;

/**
 * The external inputs of one step: clocks, randomness and the number of calls in flight.
 *
 * @param clocks both clocks, read just before the step: earlier than anything the step sends, later
 *     than anything it has received
 * @param chance a uniform random number from 0 (inclusive) to 1 (exclusive)
 * @param callsInFlight how many gated calls are running
 */
public record StepContext(ClockReading clocks, double chance, long callsInFlight) {

  /** The monotonic clock. */
  public long nanos() {
    return clocks.nanos();
  }

  boolean hasReached(long instantNanos) {
    return clocks.nanos() - instantNanos >= 0;
  }

  long plus(long nanos) {
    return clocks.nanos() + nanos;
  }

  /**
   * Both clocks of a node, read together. Only the monotonic one decides; the wall clock serves to
   * detect a host that was suspended with its monotonic clock stopped.
   *
   * @param nanos the monotonic clock; its origin is arbitrary
   * @param wallMillis the wall clock
   */
  public record ClockReading(long nanos, long wallMillis) {
    private static final long NANOS_PER_MILLI = 1_000_000;

    /** Two roundings of the wall clock to whole milliseconds, and the gap between two readings. */
    private static final long CLOCK_TOLERANCE_NANOS = 3 * NANOS_PER_MILLI;

    /**
     * True if the clocks have diverged since {@code earlier} by more than {@code marginNanos}: one
     * of them was stepped or stopped, and it is unknown which.
     */
    boolean disagreesWith(ClockReading earlier, long marginNanos) {
      long byWall = (wallMillis - earlier.wallMillis) * NANOS_PER_MILLI;
      long byMonotonic = nanos - earlier.nanos;
      return Math.abs(byWall - byMonotonic) > marginNanos + CLOCK_TOLERANCE_NANOS;
    }
  }
}

package io.portcullis.election.machine;

/**
 * Everything the outside contributes to one step.
 *
 * @param clocks both clocks, read just before the step: earlier than anything the step sends, later
 *     than anything it has received
 * @param chance an even random number from 0 to below 1
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
   * Both clocks of a node, read together. Only the monotonic one decides; the wall clock is there
   * to give away a host that was suspended with its monotonic clock stopped.
   *
   * @param nanos the monotonic clock; its origin means nothing
   * @param wallMillis the wall clock
   */
  public record ClockReading(long nanos, long wallMillis) {
    private static final long NANOS_PER_MILLI = 1_000_000;

    /** Two roundings of the wall clock to whole milliseconds, and the gap between two readings. */
    private static final long CLOCK_TOLERANCE_NANOS = 3 * NANOS_PER_MILLI;

    /**
     * True if the clocks have moved apart since {@code earlier} by more than {@code marginNanos}:
     * one of them was stepped or stood still, and nobody knows which.
     */
    boolean disagreesWith(ClockReading earlier, long marginNanos) {
      long byWall = (wallMillis - earlier.wallMillis) * NANOS_PER_MILLI;
      long byMonotonic = nanos - earlier.nanos;
      return Math.abs(byWall - byMonotonic) > marginNanos + CLOCK_TOLERANCE_NANOS;
    }
  }
}

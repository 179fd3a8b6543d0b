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
}

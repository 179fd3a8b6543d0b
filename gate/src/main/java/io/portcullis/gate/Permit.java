package io.portcullis.gate;

/**
 * The right to pass one election's gate under one epoch until a deadline.
 *
 * <p>{@link #NONE} is compared by identity, because no constant deadline lies in the past for every
 * origin that {@link System#nanoTime()} may have.
 */
final class Permit {
  static final Permit NONE = new Permit(0, 0);

  final long epoch;
  final long deadlineNanos;

  Permit(long epoch, long deadlineNanos) {
    this.epoch = epoch;
    this.deadlineNanos = deadlineNanos;
  }

  /** Compares the difference, not the values, so that a clock that wraps around does no harm. */
  boolean admitsAt(long nowNanos) {
    return deadlineNanos - nowNanos > 0;
  }
}

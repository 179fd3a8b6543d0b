package io.portcullis.gate;

/** The right to pass one election's gate under one epoch until a deadline. */
final class Permit {
  static final Permit NONE = new Permit(0, 0);

  final long epoch;
  final long deadlineNanos;

  Permit(long epoch, long deadlineNanos) {
    this.epoch = epoch;
    this.deadlineNanos = deadlineNanos;
  }
}

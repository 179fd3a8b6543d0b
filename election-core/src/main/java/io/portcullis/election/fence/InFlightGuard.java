package io.portcullis.election.fence;

import org.jspecify.annotations.Nullable;

/**
 * Lets one question be under way at a time. One that stays without an answer for too long is given
 * up, so that a fence that never answers is asked again, and yet not drowned in questions.
 */
final class InFlightGuard {
  private final long timeoutNanos;
  private @Nullable Long sinceNanos;
  private long dueNanos;

  InFlightGuard(long patienceNanos) {
    this.timeoutNanos = patienceNanos;
  }

  /** Sets when the next one is due. */
  void dueAt(long nanos) {
    dueNanos = nanos;
  }

  boolean isDue(long nowNanos) {
    return nowNanos - dueNanos >= 0;
  }

  /** False while another is under way. */
  boolean tryStart(long nowNanos) {
    if (sinceNanos != null && nowNanos - sinceNanos < timeoutNanos) {
      return false;
    }
    sinceNanos = nowNanos;
    return true;
  }

  /** The one that was taken then has its answer. */
  void end(long takenNanos) {
    if (sinceNanos != null && sinceNanos == takenNanos) {
      sinceNanos = null;
    }
  }
}

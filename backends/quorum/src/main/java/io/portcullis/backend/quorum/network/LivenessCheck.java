package io.portcullis.backend.quorum.network;

/**
 * Whether a link still lives. After half the patience without an answer the other side is asked,
 * and after as long without an answer to that the link is dead. A quiet link is not asked: nobody
 * waits for anything on it.
 */
final class LivenessCheck {
  private final long halfNanos;
  private boolean waiting;
  private boolean asked;
  private long sinceNanos;

  enum Liveness {
    FINE,
    ASK,
    DEAD
  }

  LivenessCheck(long patienceNanos) {
    halfNanos = Math.max(1, patienceNanos / 2);
  }

  void spoke(long nowNanos) {
    if (!waiting) {
      waiting = true;
      sinceNanos = nowNanos;
    }
  }

  /** The other side should show at once that it lives; false if it was asked already. */
  boolean challenge(long nowNanos) {
    if (asked) {
      return false;
    }
    waiting = true;
    asked = true;
    sinceNanos = nowNanos;
    return true;
  }

  void heard() {
    waiting = false;
    asked = false;
  }

  /** To be asked after all that has arrived was read: a paused process must not blame the peer. */
  Liveness check(long nowNanos) {
    if (!waiting || nowNanos - sinceNanos < halfNanos) {
      return Liveness.FINE;
    }
    if (asked) {
      return Liveness.DEAD;
    }
    asked = true;
    sinceNanos = nowNanos;
    return Liveness.ASK;
  }

  /** How long {@link #check} will find the same. */
  long quietNanos(long nowNanos) {
    return waiting ? Math.max(0, sinceNanos + halfNanos - nowNanos) : Long.MAX_VALUE;
  }
}

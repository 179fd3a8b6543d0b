package io.portcullis.backend.quorum.network;

/**
 * Detects a dead connection. If nothing arrives for half the timeout after a frame was sent, a ping
 * is due; if nothing arrives for as long again, the connection is dead. An idle connection is not
 * pinged, because no response is expected on it.
 */
final class LivenessCheck {
  private final long halfNanos;
  private boolean waiting;
  private boolean pinged;
  private long sinceNanos;

  enum Liveness {
    FINE,
    PING_DUE,
    DEAD
  }

  LivenessCheck(long timeoutNanos) {
    halfNanos = Math.max(1, timeoutNanos / 2);
  }

  /** This side has sent a frame other than a pong. */
  void sent(long nowNanos) {
    if (!waiting) {
      waiting = true;
      sinceNanos = nowNanos;
    }
  }

  /** Starts an immediate check of the other side; returns false if a ping is already pending. */
  boolean challenge(long nowNanos) {
    if (pinged) {
      return false;
    }
    waiting = true;
    pinged = true;
    sinceNanos = nowNanos;
    return true;
  }

  /** A frame of the other side has arrived. */
  void received() {
    waiting = false;
    pinged = false;
  }

  /**
   * Returns the state of the connection. Call it after reading everything that has arrived, so that
   * a pause of this process is not attributed to the peer.
   */
  Liveness check(long nowNanos) {
    if (!waiting || nowNanos - sinceNanos < halfNanos) {
      return Liveness.FINE;
    }
    if (pinged) {
      return Liveness.DEAD;
    }
    pinged = true;
    sinceNanos = nowNanos;
    return Liveness.PING_DUE;
  }

  /** For how long the result of {@link #check} stays the same if nothing arrives. */
  long quietNanos(long nowNanos) {
    return waiting ? Math.max(0, sinceNanos + halfNanos - nowNanos) : Long.MAX_VALUE;
  }
}

package io.portcullis.backend.quorum.network;

/** How long a link may be in each state of its life. */
final class LinkTimeouts {
  private LinkTimeouts() {}

  enum Verdict {
    FINE,
    /** The other side should say something. */
    PING,
    /** The dialled host did not even answer. */
    UNANSWERED,
    /** The handshake took too long. */
    UNFINISHED,
    /** A refused one had time enough to read why. */
    LEFT,
    /** The other side says nothing. */
    SILENT
  }

  static Verdict check(PeerConnection link, long nowNanos) {
    if (link.isUp()) {
      return switch (link.pulse().check(nowNanos)) {
        case FINE -> Verdict.FINE;
        case ASK -> Verdict.PING;
        case DEAD -> Verdict.SILENT;
      };
    }
    if (quietNanos(link, nowNanos) > 0) {
      return Verdict.FINE;
    }
    if (link.isLeaving()) {
      return Verdict.LEFT;
    }
    return link.isConnected() ? Verdict.UNFINISHED : Verdict.UNANSWERED;
  }

  /** How long the verdict will be the same. */
  static long quietNanos(PeerConnection link, long nowNanos) {
    if (link.isUp()) {
      return link.pulse().quietNanos(nowNanos);
    }
    long limitNanos =
        link.isLeaving()
            ? link.leftAfterNanos() + NetworkLimits.LINGER_NANOS
            : NetworkLimits.HANDSHAKE_NANOS;
    return Math.max(0, limitNanos - link.ageNanos(nowNanos));
  }
}

package io.portcullis.servers.kubernetes;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What is wrong with the treatment of a request.
 *
 * @param instead what is answered without carrying it out; null if it is carried out
 * @param heldBack whether it waits for the faults' end before anything else
 * @param delay how long the reply waits
 * @param end what becomes of the reply
 */
public record Fault(Fault.@Nullable Answer instead, boolean heldBack, Duration delay, End end) {
  static final Fault NONE = new Fault(null, false, Duration.ZERO, End.SENT);

  /** A code with the {@code Status} that belongs to it, and when to come again. */
  public record Answer(int code, Duration retryAfter) {}

  /** What becomes of a reply. */
  public enum End {
    /** It is sent. */
    SENT,
    /** The connection is closed in its place. */
    CUT,
    /** Nothing happens; the connection is closed when the faults end. */
    SWALLOWED
  }

  /** Answered with this code and a fitting {@code Status}; not carried out. */
  public static Fault status(int code) {
    return new Fault(new Answer(code, Duration.ZERO), false, Duration.ZERO, End.SENT);
  }

  /** Answered with 429 and this {@code Retry-After}; not carried out. */
  public static Fault tooManyRequests(Duration retryAfter) {
    return new Fault(new Answer(429, retryAfter), false, Duration.ZERO, End.SENT);
  }

  /** Refused for want of rights; reviews of the own rights say so too. */
  public static Fault forbidden() {
    return status(403);
  }

  /** Accepted, never carried out and never answered. */
  public static Fault hang() {
    return new Fault(new Answer(504, Duration.ZERO), false, Duration.ZERO, End.SWALLOWED);
  }

  /** Held back; carried out and answered when the faults end, however late that is. */
  public static Fault holdBack() {
    return new Fault(null, true, Duration.ZERO, End.SENT);
  }

  /** Carried out; the connection is closed instead of a reply. */
  public static Fault cutReply() {
    return new Fault(null, false, Duration.ZERO, End.CUT);
  }

  /** Carried out, never answered; the connection stays until the faults end. */
  public static Fault swallowReply() {
    return new Fault(null, false, Duration.ZERO, End.SWALLOWED);
  }

  /** Carried out at once, answered so much later. */
  public static Fault delayReply(Duration delay) {
    return new Fault(null, false, delay, End.SENT);
  }

  boolean forbids() {
    return instead != null && instead.code() == 403;
  }
}

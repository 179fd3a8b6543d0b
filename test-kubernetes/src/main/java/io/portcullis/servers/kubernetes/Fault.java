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
public record Fault(
    Fault.@Nullable SubstituteResponse instead,
    boolean heldBack,
    Duration delay,
    ReplyOutcome end) {
  static final Fault NONE = new Fault(null, false, Duration.ZERO, ReplyOutcome.SENT);

  /**
   * A code with the {@code Status} that belongs to it, when to come again, and where to go instead.
   *
   * @param location empty if the client is not sent anywhere
   */
  public record SubstituteResponse(int code, Duration retryAfter, String location) {
    SubstituteResponse(int code) {
      this(code, Duration.ZERO, "");
    }
  }

  /** What becomes of a reply. */
  public enum ReplyOutcome {
    /** It is sent. */
    SENT,
    /** The connection is closed in its place. */
    CUT,
    /** Nothing happens; the connection is closed when the faults end. */
    SWALLOWED,
    /** It begins, and then goes on a byte at a time, without an end. */
    DRIPPED,
    /** It begins, and then goes on as fast as the client reads, without an end. */
    FLOODED
  }

  /** Answered with this code and a fitting {@code Status}; not carried out. */
  public static Fault status(int code) {
    return new Fault(new SubstituteResponse(code), false, Duration.ZERO, ReplyOutcome.SENT);
  }

  /** Answered with 429 and this {@code Retry-After}; not carried out. */
  public static Fault tooManyRequests(Duration retryAfter) {
    return new Fault(
        new SubstituteResponse(429, retryAfter, ""), false, Duration.ZERO, ReplyOutcome.SENT);
  }

  /** Sent to another place; not carried out here. */
  public static Fault redirect(int code, String location) {
    SubstituteResponse answer = new SubstituteResponse(code, Duration.ZERO, location);
    return new Fault(answer, false, Duration.ZERO, ReplyOutcome.SENT);
  }

  /** Answered with 200 and the object as it is, whatever was asked; not carried out. */
  public static Fault onlyRead() {
    return status(200);
  }

  /** Refused for want of rights; reviews of the own rights say so too. */
  public static Fault forbidden() {
    return status(403);
  }

  /** Accepted, never carried out and never answered. */
  public static Fault hang() {
    return new Fault(new SubstituteResponse(504), false, Duration.ZERO, ReplyOutcome.SWALLOWED);
  }

  /** Held back; carried out and answered when the faults end, however late that is. */
  public static Fault holdBack() {
    return new Fault(null, true, Duration.ZERO, ReplyOutcome.SENT);
  }

  /** Carried out; the connection is closed instead of a reply. */
  public static Fault cutReply() {
    return new Fault(null, false, Duration.ZERO, ReplyOutcome.CUT);
  }

  /** Carried out, never answered; the connection stays until the faults end. */
  public static Fault swallowReply() {
    return new Fault(null, false, Duration.ZERO, ReplyOutcome.SWALLOWED);
  }

  /** Carried out at once, answered so much later. */
  public static Fault delayReply(Duration delay) {
    return new Fault(null, false, delay, ReplyOutcome.SENT);
  }

  /** Carried out; of the reply there comes a byte from time to time, until the faults end. */
  public static Fault dripReply() {
    return new Fault(null, false, Duration.ZERO, ReplyOutcome.DRIPPED);
  }

  /** Carried out; the reply never ends, until the faults do. */
  public static Fault floodReply() {
    return new Fault(null, false, Duration.ZERO, ReplyOutcome.FLOODED);
  }

  boolean onlyReads() {
    return instead != null && instead.code() == 200;
  }

  boolean forbids() {
    return instead != null && instead.code() == 403;
  }
}

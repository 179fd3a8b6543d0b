package io.portcullis.servers.kubernetes;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A fault in the handling of a request.
 *
 * @param instead the response without execution; null if the request is executed
 * @param heldBack whether the request first waits for the end of the faults
 * @param delay delay of the response
 * @param end what happens to the response
 */
public record Fault(
    Fault.@Nullable SubstituteResponse instead,
    boolean heldBack,
    Duration delay,
    ReplyOutcome end) {
  static final Fault NONE = new Fault(null, false, Duration.ZERO, ReplyOutcome.SENT);

  /**
   * A status code with the matching {@code Status}, a retry delay and a redirect location.
   *
   * @param location empty if the client is not redirected
   */
  public record SubstituteResponse(int code, Duration retryAfter, String location) {
    SubstituteResponse(int code) {
      this(code, Duration.ZERO, "");
    }
  }

  /** What happens to a response. */
  public enum ReplyOutcome {
    /** It is sent. */
    SENT,
    /** The connection is closed instead. */
    CUT,
    /** Nothing is sent; the connection is closed when the faults end. */
    SWALLOWED,
    /** It begins, and then continues one byte at a time, without an end. */
    DRIPPED,
    /** It begins, and then continues as fast as the client reads, without an end. */
    FLOODED
  }

  /** Responds with this code and a matching {@code Status}; does not execute the request. */
  public static Fault status(int code) {
    return new Fault(new SubstituteResponse(code), false, Duration.ZERO, ReplyOutcome.SENT);
  }

  /** Responds with 429 and this {@code Retry-After}; does not execute the request. */
  public static Fault tooManyRequests(Duration retryAfter) {
    return new Fault(
        new SubstituteResponse(429, retryAfter, ""), false, Duration.ZERO, ReplyOutcome.SENT);
  }

  /** Redirects the client; does not execute the request. */
  public static Fault redirect(int code, String location) {
    SubstituteResponse answer = new SubstituteResponse(code, Duration.ZERO, location);
    return new Fault(answer, false, Duration.ZERO, ReplyOutcome.SENT);
  }

  /**
   * Responds with 200 and the current object, whatever was requested; does not execute the request.
   */
  public static Fault onlyRead() {
    return status(200);
  }

  /**
   * Refuses the request because of missing rights; reviews of the client's own rights show this
   * too.
   */
  public static Fault forbidden() {
    return status(403);
  }

  /** Accepts the request, but never executes it and never responds. */
  public static Fault hang() {
    return new Fault(new SubstituteResponse(504), false, Duration.ZERO, ReplyOutcome.SWALLOWED);
  }

  /** Holds the request back; executes it and responds when the faults end, however late that is. */
  public static Fault holdBack() {
    return new Fault(null, true, Duration.ZERO, ReplyOutcome.SENT);
  }

  /** Executes the request; closes the connection instead of a response. */
  public static Fault cutReply() {
    return new Fault(null, false, Duration.ZERO, ReplyOutcome.CUT);
  }

  /** Executes the request, but never responds; the connection stays open until the faults end. */
  public static Fault swallowReply() {
    return new Fault(null, false, Duration.ZERO, ReplyOutcome.SWALLOWED);
  }

  /** Executes the request at once; delays the response. */
  public static Fault delayReply(Duration delay) {
    return new Fault(null, false, delay, ReplyOutcome.SENT);
  }

  /** Executes the request; sends a byte of the response from time to time, until the faults end. */
  public static Fault dripReply() {
    return new Fault(null, false, Duration.ZERO, ReplyOutcome.DRIPPED);
  }

  /** Executes the request; the response does not end until the faults do. */
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

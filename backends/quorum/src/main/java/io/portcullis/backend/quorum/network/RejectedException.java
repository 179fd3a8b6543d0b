package io.portcullis.backend.quorum.network;

import org.jspecify.annotations.Nullable;

/** Says that what came on a connection failed a check, so that the connection has to end. */
final class RejectedException extends Exception {
  private static final long serialVersionUID = 1L;

  private final RejectReason why;
  private final @Nullable String other;

  RejectedException(RejectReason why, String detail) {
    this(why, detail, null);
  }

  /** Because of another process, which the refused one may know of. */
  RejectedException(RejectReason why, String detail, @Nullable String other) {
    super(detail, null, false, false); // Anyone can cause it: it must cost no stack trace.
    this.why = why;
    this.other = other;
  }

  @Nullable String other() {
    return other;
  }

  RejectReason why() {
    return why;
  }
}

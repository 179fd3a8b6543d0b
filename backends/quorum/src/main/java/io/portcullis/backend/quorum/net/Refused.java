package io.portcullis.backend.quorum.net;

import org.jspecify.annotations.Nullable;

/** Says that what came on a connection failed a check, so that the connection has to end. */
final class Refused extends Exception {
  private static final long serialVersionUID = 1L;

  private final Refusal why;
  private final @Nullable String other;

  Refused(Refusal why, String detail) {
    this(why, detail, null);
  }

  /** Because of another process, which the refused one may know of. */
  Refused(Refusal why, String detail, @Nullable String other) {
    super(detail, null, false, false); // Anyone can cause it: it must cost no stack trace.
    this.why = why;
    this.other = other;
  }

  @Nullable String other() {
    return other;
  }

  Refusal why() {
    return why;
  }
}

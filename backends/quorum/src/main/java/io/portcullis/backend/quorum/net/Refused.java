package io.portcullis.backend.quorum.net;

/** Says that what came on a connection failed a check, so that the connection has to end. */
final class Refused extends Exception {
  private static final long serialVersionUID = 1L;

  private final Refusal why;

  Refused(Refusal why, String detail) {
    super(detail, null, false, false); // Anyone can cause it: it must cost no stack trace.
    this.why = why;
  }

  Refusal why() {
    return why;
  }
}

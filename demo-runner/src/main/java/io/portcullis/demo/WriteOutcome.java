package io.portcullis.demo;

/** Outcome of a write request as seen by the client. */
enum WriteOutcome {
  /** 201: the write is stored. */
  ACCEPTED,
  /** 503: the write is not stored. */
  REFUSED,
  /** The connection could not be opened, so the request was not sent. */
  UNREACHABLE,
  /** The connection failed after the request was sent: the write may or may not be stored. */
  UNANSWERED,
  /** Any other response; not expected from this service. */
  FAILED
}

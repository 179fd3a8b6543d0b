package io.portcullis.demo;

/** What a client knows of a write after it asked for it. */
enum WriteOutcome {
  /** 201: it is stored. */
  ACCEPTED,
  /** 503: it is not stored. */
  REFUSED,
  /** No connection could be opened, so it was never sent. */
  UNREACHABLE,
  /** It was sent, and the connection died: it may be stored or not. */
  UNANSWERED,
  /** Any other answer; the service should never give one here. */
  FAILED
}

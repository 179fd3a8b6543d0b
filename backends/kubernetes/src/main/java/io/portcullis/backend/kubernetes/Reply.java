package io.portcullis.backend.kubernetes;

/** What the API server said to one request. */
sealed interface Reply {

  /** The Lease as it is after the request. */
  record Found(LeaseDocument lease) implements Reply {}

  /** There is no such Lease. */
  record Missing() implements Reply {}

  /** Somebody else was faster: the request changed nothing. */
  record Conflict() implements Reply {}

  /** Nobody knows whether the request took effect, or it was refused for another reason. */
  record Unclear(String why) implements Reply {}
}

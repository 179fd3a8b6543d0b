package io.portcullis.backend.kubernetes;

/** What the API server said to one request. */
sealed interface LeaseReply {

  /** The Lease as it is after the request. */
  record Found(LeaseDocument lease) implements LeaseReply {}

  /** There is no such Lease. */
  record Missing() implements LeaseReply {}

  /** Somebody else was faster: the request changed nothing. */
  record Conflict() implements LeaseReply {}

  /** Nobody knows whether the request took effect, or it was refused for another reason. */
  record Unclear(String why) implements LeaseReply {}
}

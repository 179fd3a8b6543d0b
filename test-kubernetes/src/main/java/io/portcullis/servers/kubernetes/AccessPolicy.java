package io.portcullis.servers.kubernetes;

/** Decides what the client of a request may do. */
interface AccessPolicy {
  /** Whether the request is forbidden. */
  boolean forbids(Verb verb, String object);
}

package io.portcullis.servers.kubernetes;

/** What the client of a request may do. */
interface AccessPolicy {
  /** Whether it may not. */
  boolean forbids(Verb verb, String object);
}

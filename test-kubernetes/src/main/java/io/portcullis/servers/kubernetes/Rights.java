package io.portcullis.servers.kubernetes;

/** What the client of a request may do. */
interface Rights {
  /** Whether it may not. */
  boolean forbid(Verb verb, String object);
}

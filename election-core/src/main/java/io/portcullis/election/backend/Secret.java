package io.portcullis.election.backend;

/**
 * Secret that may be rotated while in use. Call {@link #current()} for each use, such as for each
 * connection, and keep no copy.
 */
@FunctionalInterface
public interface Secret {

  /**
   * Current value. If the source becomes unreadable, the last value read stays in use. Thread-safe.
   */
  String current();
}

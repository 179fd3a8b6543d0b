package io.portcullis.election.backend;

/**
 * A secret that may be replaced while it is in use. Whoever needs it asks each time, such as for
 * each connection, and keeps no copy.
 */
@FunctionalInterface
public interface Secret {

  /**
   * The secret as it is now. One that was once there stays what it was while its source can't be
   * read. Any thread may ask.
   */
  String current();
}

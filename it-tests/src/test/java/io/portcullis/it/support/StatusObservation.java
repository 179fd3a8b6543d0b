package io.portcullis.it.support;

/**
 * What one way of looking at a node showed of it, at some moment between two.
 *
 * @param way how it was looked at
 * @param node its id
 * @param since since when it has this role, empty if that way does not tell
 */
public record StatusObservation(
    String way,
    String node,
    String role,
    long epoch,
    String since,
    long sentNanos,
    long receivedNanos) {

  boolean claims() {
    return role.equals("LEADER");
  }
}

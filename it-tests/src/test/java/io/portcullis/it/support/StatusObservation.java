package io.portcullis.it.support;

/**
 * What one interface reported about a node, at some moment between two times.
 *
 * @param way the interface
 * @param node the node's id
 * @param since since when it has this role, empty if the interface does not report it
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

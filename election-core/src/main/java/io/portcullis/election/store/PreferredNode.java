package io.portcullis.election.store;

/**
 * A node that requests leadership and has a higher priority than the current leader.
 *
 * @param node its name, as used in a release
 * @param sinceNanos since when it has been healthy without interruption, by the monotonic clock
 */
public record PreferredNode(String node, long sinceNanos) {}

package io.portcullis.election.store;

/**
 * A node that would rather lead than the present leader, and has a higher priority.
 *
 * @param node its name, as a release can name it
 * @param sinceNanos since when it has been well without a break, by the monotonic clock
 */
public record PreferredNode(String node, long sinceNanos) {}

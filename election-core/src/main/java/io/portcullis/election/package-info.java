/**
 * Leader election as a plain library: give {@link io.portcullis.election.LeaderElection} a config
 * and a store, start it, and ask.
 *
 * <p>Promise: of all nodes of one election at most one gets a yes from {@code isLeader()} at any
 * moment, under an epoch above all earlier ones, as long as clock rates stay within the configured
 * drift and the store keeps what it acknowledged. The answer is judged by the monotonic clock each
 * time it is given: after a pause it is right at once.
 *
 * <p>Not promised: that work begun after a yes has ended before another node leads. Draining waits
 * for it as long as it may; beyond that only a resource that compares the epoch is safe.
 */
@NullMarked
package io.portcullis.election;

import org.jspecify.annotations.NullMarked;

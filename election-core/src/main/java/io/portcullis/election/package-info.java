/**
 * Leader election as a plain library: give {@link io.portcullis.election.LeaderElection} a config
 * and a store, start it, and query it.
 *
 * <p>Promise: there is no split brain. Of all nodes of one election, {@code isLeader()} returns
 * true on at most one at any moment, under an epoch above all earlier ones, as long as clock rates
 * stay within the configured drift and the store keeps what it acknowledged. Each call compares the
 * grant with the monotonic clock, so the result is correct immediately after a pause.
 *
 * <p>Not promised: that work begun while leading has ended before another node leads. Draining
 * waits for it up to the drain timeout; beyond that only a resource that checks the epoch is safe.
 */
@NullMarked
package io.portcullis.election;

import org.jspecify.annotations.NullMarked;

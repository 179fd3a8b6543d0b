/**
 * Election-only Raft as a pure state machine: terms, one vote per term, pre-votes, heartbeats and
 * the promises that voters give with their acknowledgements. The epoch of a lease is its term.
 *
 * <p>Nothing in this package uses a clock, thread, socket, file, log or random number. The same
 * code runs in production and, for millions of steps, in the simulation.
 */
@NullMarked
package io.portcullis.backend.quorum.machine;

import org.jspecify.annotations.NullMarked;

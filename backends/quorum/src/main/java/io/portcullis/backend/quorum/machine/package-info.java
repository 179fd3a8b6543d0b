/**
 * Election-only Raft as a pure machine: terms, one vote per term, pre-votes, heartbeats and the
 * promises that voters give with their acknowledgements. The epoch of a lease is its term.
 *
 * <p>Nothing in here knows a clock, thread, socket, file, log or random number. The same code runs
 * in production and, by the million steps, in the simulation.
 */
@NullMarked
package io.portcullis.backend.quorum.machine;

import org.jspecify.annotations.NullMarked;

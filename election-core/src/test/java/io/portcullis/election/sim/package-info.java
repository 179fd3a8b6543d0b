/**
 * A world in which everything comes from one seed: clocks, pauses, networks, stores and operators.
 *
 * <p>A run has two halves. In the first, faults strike, and after every event the invariants must
 * hold. In the second, all faults stop, and a leader must appear within a bounded time and stay.
 */
@NullMarked
package io.portcullis.election.sim;

import org.jspecify.annotations.NullMarked;

/**
 * A world of members that elect a leader among themselves, in which everything comes from one seed:
 * clocks, pauses, disks, the network and operators.
 *
 * <p>A run has two halves. In the first, faults strike, and after every event the invariants must
 * hold. In the second, all faults stop, and a leader must appear within a bounded time and stay.
 */
@NullMarked
package io.portcullis.backend.quorum.sim;

import org.jspecify.annotations.NullMarked;

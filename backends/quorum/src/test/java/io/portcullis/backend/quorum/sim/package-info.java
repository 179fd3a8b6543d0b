/**
 * A simulation of members that elect a leader among themselves. One seed determines everything:
 * clocks, pauses, disks, the network and operators.
 *
 * <p>A run has two halves. In the first, faults are injected, and after every event the invariants
 * must hold. In the second, all faults end, and a leader must appear within a limited time and
 * remain leader.
 */
@NullMarked
package io.portcullis.backend.quorum.sim;

import org.jspecify.annotations.NullMarked;

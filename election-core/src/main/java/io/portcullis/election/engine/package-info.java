/**
 * Runs the machine: one thread per election that reads the clocks, takes inputs from a queue, steps
 * the machine and performs its effects.
 *
 * <p>Promise: the gate is shut before any other effect of a step is performed, and whenever this
 * code fails. No code has to run for a gate to shut at its deadline. Not promised: that the lease
 * is kept if a store blocks the calling thread.
 */
@NullMarked
package io.portcullis.election.engine;

import org.jspecify.annotations.NullMarked;

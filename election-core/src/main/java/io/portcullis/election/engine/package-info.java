/**
 * Runs a machine: one thread per election that reads the clocks, takes inputs from an inbox, steps
 * the machine and carries out its effects.
 *
 * <p>Promise: a gate is shut before anything else of a step is done, and whenever this code fails.
 * Nothing here has to run for a gate to shut at its deadline. Not promised: that a store which
 * blocks the calling thread is survived without losing the lease.
 */
@NullMarked
package io.portcullis.election.engine;

import org.jspecify.annotations.NullMarked;

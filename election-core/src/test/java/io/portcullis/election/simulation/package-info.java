/**
 * Building blocks of simulations, and the proof that they detect bugs: virtual time, drifting
 * clocks, coverage marks, and bugs planted into the sources. Backends with their own simulation use
 * it too.
 */
@NullMarked
package io.portcullis.election.simulation;

import org.jspecify.annotations.NullMarked;

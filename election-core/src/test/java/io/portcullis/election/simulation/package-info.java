/**
 * What every simulation is made of, and the proof that it bites: virtual time, drifting clocks,
 * marks of what a run came through, and mistakes planted into the sources. Backends with a
 * simulation of their own use it too.
 */
@NullMarked
package io.portcullis.election.simulation;

import org.jspecify.annotations.NullMarked;

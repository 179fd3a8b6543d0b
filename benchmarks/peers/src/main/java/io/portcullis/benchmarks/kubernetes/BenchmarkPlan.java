package io.portcullis.benchmarks.kubernetes;

import java.time.Duration;

/**
 * How much is measured of each elector.
 *
 * @param handOvers one after the other, on one Lease
 * @param pairs at once, each with a Lease of its own, for requests and crashes
 * @param window in which requests are counted
 */
record BenchmarkPlan(int handOvers, int pairs, int crashesOfAPair, Duration window) {}

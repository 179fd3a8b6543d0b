package io.portcullis.benchmarks.kubernetes;

import java.time.Duration;

/**
 * The amount of measurements for each elector.
 *
 * @param handOvers number of consecutive handovers, on one Lease
 * @param pairs number of concurrent pairs, each with its own Lease, for requests and crashes
 * @param window in which requests are counted
 */
record BenchmarkPlan(int handOvers, int pairs, int crashesOfAPair, Duration window) {}

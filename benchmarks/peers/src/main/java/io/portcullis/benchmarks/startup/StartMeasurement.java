package io.portcullis.benchmarks.startup;

import java.time.Duration;

/**
 * One start.
 *
 * @param wall from just before the process was started until its "Started" line was read
 * @param own what that line says itself, which leaves out what an agent does before {@code main}
 * @param processor time of all the process' threads on a processor until then
 * @param peakKib the most memory that was resident so far, a while after that line
 */
record StartMeasurement(Duration wall, Duration own, Duration processor, long peakKib) {}

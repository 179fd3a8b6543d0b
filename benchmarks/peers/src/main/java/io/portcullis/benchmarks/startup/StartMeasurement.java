package io.portcullis.benchmarks.startup;

import java.time.Duration;

/**
 * Measurement of one start.
 *
 * @param wall from just before the process was started until its "Started" line was read
 * @param own the time in that line, which excludes what an agent does before {@code main}
 * @param processor processor time of all threads of the process until then
 * @param peakKib peak resident memory, a while after that line
 */
record StartMeasurement(Duration wall, Duration own, Duration processor, long peakKib) {}

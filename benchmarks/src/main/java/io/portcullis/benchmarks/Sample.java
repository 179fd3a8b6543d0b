package io.portcullis.benchmarks;

import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/** Measurement of one kind of call in one JVM. */
record Sample(int round, int threads, String call, double nanos, double bytes) {
  private static final String BYTES_PER_CALL = "gc.alloc.rate.norm";

  /** Median of the iterations, since a burst of other work on the machine distorts a mean. */
  static Sample of(int round, RunResult result) {
    Result<?> time = result.getPrimaryResult();
    Result<?> bytes = result.getSecondaryResults().get(BYTES_PER_CALL);
    if (bytes == null) {
      throw new IllegalStateException("The profiler did not report " + BYTES_PER_CALL + ".");
    }
    return new Sample(
        round,
        result.getParams().getThreads(),
        time.getLabel(),
        time.getStatistics().getPercentile(50),
        bytes.getScore());
  }
}

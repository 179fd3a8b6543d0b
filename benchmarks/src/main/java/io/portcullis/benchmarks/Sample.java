package io.portcullis.benchmarks;

import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/** What one JVM measured for one kind of call. */
record Sample(int round, int threads, String call, double nanos, double bytes) {
  private static final String BYTES_PER_CALL = "gc.alloc.rate.norm";

  /** The median of the iterations: a burst of other work on the machine spoils a mean. */
  static Sample of(int round, RunResult result) {
    Result<?> time = result.getPrimaryResult();
    Result<?> bytes = result.getSecondaryResults().get(BYTES_PER_CALL);
    if (bytes == null) {
      throw new IllegalStateException("The profiler did not tell " + BYTES_PER_CALL + ".");
    }
    return new Sample(
        round,
        result.getParams().getThreads(),
        time.getLabel(),
        time.getStatistics().getPercentile(50),
        bytes.getScore());
  }
}

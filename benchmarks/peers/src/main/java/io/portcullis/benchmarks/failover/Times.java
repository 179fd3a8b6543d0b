package io.portcullis.benchmarks.failover;

import java.time.Duration;
import java.util.List;

/** Durations in the order of their length. */
record Times(List<Duration> sorted) {
  static Times of(List<Duration> times) {
    return new Times(times.stream().sorted().toList());
  }

  Duration median() {
    return quantile(0.5);
  }

  /** The shortest that is not exceeded by this part of them. */
  Duration quantile(double part) {
    return sorted.get(Math.max(0, (int) Math.ceil(part * sorted.size()) - 1));
  }

  Duration longest() {
    return sorted.get(sorted.size() - 1);
  }
}

package io.portcullis.benchmarks.failover;

import java.time.Duration;
import java.util.List;

/** Durations, sorted. */
public record Times(List<Duration> sorted) {
  public static Times of(List<Duration> times) {
    return new Times(times.stream().sorted().toList());
  }

  public Duration median() {
    return quantile(0.5);
  }

  /** Quantile: the shortest duration that this fraction of the durations does not exceed. */
  public Duration quantile(double part) {
    return sorted.get(Math.max(0, (int) Math.ceil(part * sorted.size()) - 1));
  }

  public Duration shortest() {
    return sorted.get(0);
  }

  public Duration longest() {
    return sorted.get(sorted.size() - 1);
  }
}

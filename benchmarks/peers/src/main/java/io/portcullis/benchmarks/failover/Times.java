package io.portcullis.benchmarks.failover;

import java.time.Duration;
import java.util.List;

/** Durations in the order of their length. */
public record Times(List<Duration> sorted) {
  public static Times of(List<Duration> times) {
    return new Times(times.stream().sorted().toList());
  }

  public Duration median() {
    return quantile(0.5);
  }

  /** The shortest that is not exceeded by this part of them. */
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

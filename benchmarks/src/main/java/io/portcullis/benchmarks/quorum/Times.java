package io.portcullis.benchmarks.quorum;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

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

  int count() {
    return sorted.size();
  }

  static String millis(Duration time) {
    return String.format(Locale.ROOT, "%.1f ms", time.toNanos() / 1e6);
  }

  static String seconds(Duration time) {
    return String.format(Locale.ROOT, "%.2f s", time.toNanos() / 1e9);
  }
}

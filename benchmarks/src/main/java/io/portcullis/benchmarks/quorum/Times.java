package io.portcullis.benchmarks.quorum;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** Durations, sorted. */
record Times(List<Duration> sorted) {
  static Times of(List<Duration> times) {
    return new Times(times.stream().sorted().toList());
  }

  Duration median() {
    return quantile(0.5);
  }

  /** Quantile: the shortest duration that this fraction of the durations does not exceed. */
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

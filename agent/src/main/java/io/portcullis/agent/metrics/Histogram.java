package io.portcullis.agent.metrics;

import io.portcullis.election.engine.DurationHistogram;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.ArrayList;
import java.util.List;

/** Collects how long something took. */
final class Histogram {
  private final HistogramSnapshot.Builder snapshot;

  Histogram(String name, String help) {
    this.snapshot = HistogramSnapshot.builder().name(name).help(help);
  }

  void add(DurationHistogram spread, String... labels) {
    snapshot.dataPoint(
        HistogramDataPointSnapshot.builder()
            .classicHistogramBuckets(
                ClassicHistogramBuckets.of(bounds(), new ArrayList<Number>(spread.counts())))
            .sum(spread.sum().toNanos() / 1e9)
            .labels(Labels.of(labels))
            .build());
  }

  private static List<Double> bounds() {
    List<Double> seconds = new ArrayList<>();
    DurationHistogram.BOUNDS.forEach(bound -> seconds.add(bound.toNanos() / 1e9));
    seconds.add(Double.POSITIVE_INFINITY);
    return seconds;
  }

  HistogramSnapshot build() {
    return snapshot.build();
  }
}

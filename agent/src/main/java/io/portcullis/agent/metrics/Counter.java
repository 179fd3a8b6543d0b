package io.portcullis.agent.metrics;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;

/** Collects the values of one metric that may only rise. */
final class Counter {
  private final CounterSnapshot.Builder snapshot;

  Counter(String name, String help) {
    this.snapshot = CounterSnapshot.builder().name(name).help(help);
  }

  void add(long value, String... labels) {
    snapshot.dataPoint(
        CounterDataPointSnapshot.builder().value((double) value).labels(Labels.of(labels)).build());
  }

  CounterSnapshot build() {
    return snapshot.build();
  }
}

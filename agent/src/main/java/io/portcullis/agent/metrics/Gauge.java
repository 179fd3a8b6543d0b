package io.portcullis.agent.metrics;

import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;

/** Collects the values of one metric that may rise and fall. */
final class Gauge {
  private final GaugeSnapshot.Builder snapshot;

  Gauge(String name, String help) {
    this.snapshot = GaugeSnapshot.builder().name(name).help(help);
  }

  void add(double value, String... labels) {
    snapshot.dataPoint(
        GaugeDataPointSnapshot.builder().value(value).labels(Labels.of(labels)).build());
  }

  GaugeSnapshot build() {
    return snapshot.build();
  }
}

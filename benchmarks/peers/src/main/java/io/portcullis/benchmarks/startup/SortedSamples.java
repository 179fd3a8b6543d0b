package io.portcullis.benchmarks.startup;

import java.util.List;
import java.util.function.ToDoubleFunction;

/** Measurements of one kind from all rounds, sorted. */
record SortedSamples(List<Double> sorted) {
  static SortedSamples of(
      List<StartMeasurement> starts, ToDoubleFunction<StartMeasurement> figure) {
    return new SortedSamples(starts.stream().map(figure::applyAsDouble).sorted().toList());
  }

  /** The median; for an even number of measurements the mean of the two in the middle. */
  double median() {
    int size = sorted.size();
    return (sorted.get((size - 1) / 2) + sorted.get(size / 2)) / 2;
  }

  double least() {
    return sorted.get(0);
  }

  double most() {
    return sorted.get(sorted.size() - 1);
  }
}

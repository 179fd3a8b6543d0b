package io.portcullis.benchmarks.startup;

import java.util.List;
import java.util.function.ToDoubleFunction;

/** Figures of one kind from all rounds, in the order of their size. */
record SortedSamples(List<Double> sorted) {
  static SortedSamples of(
      List<StartMeasurement> starts, ToDoubleFunction<StartMeasurement> figure) {
    return new SortedSamples(starts.stream().map(figure::applyAsDouble).sorted().toList());
  }

  /** Of an even number of figures, the mean of the two in the middle. */
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

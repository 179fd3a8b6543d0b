package io.portcullis.benchmarks;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Cost of one kind of call: medians over all rounds.
 *
 * @param ratio to the hand-written check on the same number of threads, computed within each round,
 *     so that a machine that slows down between rounds affects both
 */
record Cost(int threads, String call, double nanos, double ratio, double bytes) {
  static final String YARDSTICK = "handWrittenDeadline";

  static Cost of(int threads, String call, List<Sample> all) {
    List<Sample> own =
        all.stream().filter(s -> s.threads() == threads && s.call().equals(call)).toList();
    return new Cost(
        threads,
        call,
        median(own, Sample::nanos),
        median(own, sample -> sample.nanos() / yardstick(sample, all)),
        median(own, Sample::bytes));
  }

  private static double yardstick(Sample sample, List<Sample> all) {
    return all.stream()
        .filter(s -> s.round() == sample.round() && s.threads() == sample.threads())
        .filter(s -> s.call().equals(YARDSTICK))
        .findAny()
        .orElseThrow(() -> new IllegalStateException(YARDSTICK + " was not measured."))
        .nanos();
  }

  private static double median(List<Sample> samples, ToDoubleFunction<Sample> of) {
    double[] sorted = samples.stream().mapToDouble(of).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}

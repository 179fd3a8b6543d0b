package io.portcullis.benchmarks.quorum;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Parts of the benchmark. */
enum BenchmarkPart {
  COLD_START,
  HAND_OVER,
  TRAFFIC;

  static Optional<BenchmarkPart> named(String name) {
    return Arrays.stream(values()).filter(part -> part.toString().equals(name)).findAny();
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}

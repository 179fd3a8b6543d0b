package io.portcullis.benchmarks.failover;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Measurements of one kind so far. */
final class FailoverMeasurements {
  private final List<Duration> handOvers = new ArrayList<>();
  private final List<Duration> firstHandOvers = new ArrayList<>();
  private final List<Duration> crashes = new ArrayList<>();

  void add(List<Duration> handOversOfAPair, Duration crash) {
    handOvers.addAll(handOversOfAPair);
    firstHandOvers.add(handOversOfAPair.get(0));
    crashes.add(crash);
  }

  Times handOvers() {
    return Times.of(handOvers);
  }

  /** First handovers of all pairs, which neither JVM of the pair has executed before. */
  Times firstHandOvers() {
    return Times.of(firstHandOvers);
  }

  Times crashes() {
    return Times.of(crashes);
  }
}

package io.portcullis.benchmarks.failover;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What was measured of one kind so far. */
final class Findings {
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

  /** Of each pair: neither JVM has done it before. */
  Times firstHandOvers() {
    return Times.of(firstHandOvers);
  }

  Times crashes() {
    return Times.of(crashes);
  }
}

package io.portcullis.benchmarks.kubernetes;

import io.portcullis.benchmarks.failover.Times;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What was measured of one elector so far. */
final class Findings {
  private final List<Duration> handOvers = new ArrayList<>();
  private final List<Crash> crashes = new ArrayList<>();
  private final List<Traffic> traffic = new ArrayList<>();

  void add(Duration handOver) {
    handOvers.add(handOver);
  }

  void add(Crash crash) {
    crashes.add(crash);
  }

  void add(Traffic ofAPair) {
    traffic.add(ofAPair);
  }

  Times handOvers() {
    return Times.of(handOvers);
  }

  Times sinceKill() {
    return Times.of(crashes.stream().map(Crash::sinceKill).toList());
  }

  Times sinceRenewal() {
    return Times.of(crashes.stream().map(Crash::sinceRenewal).toList());
  }

  List<Flow> leaders() {
    return traffic.stream().map(Traffic::leader).toList();
  }

  List<Flow> standbys() {
    return traffic.stream().map(Traffic::standby).toList();
  }
}

package io.portcullis.benchmarks.kubernetes;

import io.portcullis.benchmarks.failover.Times;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Measurements of one elector so far. */
final class ElectorMeasurements {
  private final List<Duration> handOvers = new ArrayList<>();
  private final List<CrashTimes> crashes = new ArrayList<>();
  private final List<PairRequestRates> traffic = new ArrayList<>();

  void add(Duration handOver) {
    handOvers.add(handOver);
  }

  void add(CrashTimes crash) {
    crashes.add(crash);
  }

  void add(PairRequestRates ofAPair) {
    traffic.add(ofAPair);
  }

  Times handOvers() {
    return Times.of(handOvers);
  }

  Times sinceKill() {
    return Times.of(crashes.stream().map(CrashTimes::sinceKill).toList());
  }

  Times sinceRenewal() {
    return Times.of(crashes.stream().map(CrashTimes::sinceRenewal).toList());
  }

  List<RequestRates> leaders() {
    return traffic.stream().map(PairRequestRates::leader).toList();
  }

  List<RequestRates> standbys() {
    return traffic.stream().map(PairRequestRates::standby).toList();
  }
}

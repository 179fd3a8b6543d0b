package io.portcullis.benchmarks.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.servers.kubernetes.Verb;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReportTest {
  private static final Duration QUICK = Duration.ofMillis(40);
  private static final CrashTimes ON_TIME = crash(Duration.ofMillis(20));

  @Test
  void valuesWithinTheTargetsReachThem() {
    Report report = report(QUICK, ON_TIME, 30.5, 18.75);

    assertThat(report.allTargetsReached()).isTrue();
    assertThat(report.render())
        .contains("| hand-over, median <= 100 ms | 40.0 ms | yes |")
        .contains("| crash, longest after the last renewal <= lease + 0.5 s | 15.02 s | yes |")
        .contains("| requests per minute of a leader, highest <= 30.50 | 30.50 | yes |")
        .contains("| requests per minute of a standby, highest <= 18.75 | 18.75 | yes |");
  }

  @Test
  void slowHandOverMissesTheTarget() {
    assertThat(report(Duration.ofMillis(101), ON_TIME, 30, 0).allTargetsReached()).isFalse();
  }

  @Test
  void lateTakeoverAfterACrashMissesTheTarget() {
    CrashTimes late = crash(Duration.ofMillis(501));

    assertThat(report(QUICK, late, 30, 0).allTargetsReached()).isFalse();
  }

  @Test
  void takeoverBeforeTheLeaseEndsMissesTheTarget() {
    CrashTimes early = crash(Duration.ofMillis(-1));

    assertThat(report(QUICK, early, 30, 0).allTargetsReached()).isFalse();
  }

  @Test
  void excessRequestMissesTheTarget() {
    assertThat(report(QUICK, ON_TIME, 31, 0).allTargetsReached()).isFalse();
    assertThat(report(QUICK, ON_TIME, 30, 19).allTargetsReached()).isFalse();
  }

  @Test
  void peerIsNamedWithItsVersion() {
    assertThat(Elector.FABRIC8.label()).containsPattern(" \\d+\\.\\d+\\.\\d+ `");
  }

  private static CrashTimes crash(Duration beyondTheLease) {
    Duration sinceRenewal = ClientGoTiming.LEASE.plus(beyondTheLease);
    return new CrashTimes(sinceRenewal.minusSeconds(1), sinceRenewal);
  }

  private static Report report(Duration handOver, CrashTimes crash, double leader, double standby) {
    ElectorMeasurements measurements = new ElectorMeasurements();
    measurements.add(handOver);
    measurements.add(crash);
    measurements.add(
        new PairRequestRates(
            new RequestRates(Map.of(Verb.UPDATE, leader)),
            new RequestRates(Map.of(Verb.GET, standby))));
    return new Report(Map.of(Elector.PORTCULLIS, measurements), Duration.ofMinutes(2));
  }
}

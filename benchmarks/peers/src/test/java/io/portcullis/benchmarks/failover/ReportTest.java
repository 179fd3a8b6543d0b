package io.portcullis.benchmarks.failover;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReportTest {
  private static final Duration QUICK = Duration.ofMillis(10);
  private static final Duration SLOW = Duration.ofMillis(51);

  @Test
  void medianWithinTheTargetReachesIt() {
    Report report = report(List.of(QUICK, QUICK, SLOW), FailoverTiming.LEASE);

    assertThat(report.allTargetsReached()).isTrue();
    assertThat(report.render())
        .contains("| Portcullis, Redis: hand-over, median <= 50 ms | 10.0 ms | yes |")
        .contains("| Portcullis, Redis: crash, longest <= lease + 0.5 s | 3.00 s | yes |");
  }

  @Test
  void medianHandOverBeyondTheTargetMissesIt() {
    Report report = report(List.of(QUICK, SLOW, SLOW), FailoverTiming.LEASE);

    assertThat(report.allTargetsReached()).isFalse();
    assertThat(report.render()).contains("| 51.0 ms | NO |");
  }

  @Test
  void oneCrashBeyondTheTargetMissesIt() {
    Report report = report(List.of(QUICK), QUICK, FailoverTiming.LEASE.plusMillis(510));

    assertThat(report.allTargetsReached()).isFalse();
    assertThat(report.render()).contains("| 3.51 s | NO |");
  }

  @Test
  void missOnPostgresIsReportedAndFailsNothing() {
    Report report =
        new Report(
            Map.of(
                ContenderKind.PORTCULLIS_REDIS,
                findings(List.of(QUICK), FailoverTiming.LEASE),
                ContenderKind.PORTCULLIS_POSTGRES,
                findings(List.of(Duration.ofMillis(101)), FailoverTiming.LEASE.plusMillis(1010))));

    assertThat(report.allTargetsReached()).isTrue();
    assertThat(report.render())
        .contains("| Portcullis, Postgres: hand-over, median <= 100 ms | 101.0 ms | NO |")
        .contains("| Portcullis, Postgres: crash, longest <= lease + 1.0 s | 4.01 s | NO |");
  }

  @Test
  void everyPeerIsNamedWithItsVersion() {
    assertThat(List.of(ContenderKind.REDISSON, ContenderKind.SHEDLOCK, ContenderKind.CURATOR))
        .allSatisfy(kind -> assertThat(kind.label()).containsPattern(" \\d+\\.\\d+\\.\\d+ `"));
  }

  private static Report report(List<Duration> handOvers, Duration... crashes) {
    return new Report(Map.of(ContenderKind.PORTCULLIS_REDIS, findings(handOvers, crashes)));
  }

  private static FailoverMeasurements findings(List<Duration> handOvers, Duration... crashes) {
    FailoverMeasurements findings = new FailoverMeasurements();
    for (Duration crash : crashes) {
      findings.add(handOvers, crash);
    }
    return findings;
  }
}

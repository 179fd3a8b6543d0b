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
  void aMedianWithinTheTargetIsEnoughForHandOvers() {
    Report report = report(List.of(QUICK, QUICK, SLOW), Pace.LEASE);

    assertThat(report.allTargetsReached()).isTrue();
    assertThat(report.render())
        .contains("| hand-over, median <= 50 ms | 10.0 ms | yes |")
        .contains("| crash, longest <= lease + 0.5 s | 3.00 s | yes |");
  }

  @Test
  void mostHandOversBeyondTheTargetMissIt() {
    Report report = report(List.of(QUICK, SLOW, SLOW), Pace.LEASE);

    assertThat(report.allTargetsReached()).isFalse();
    assertThat(report.render()).contains("| 51.0 ms | NO |");
  }

  @Test
  void oneCrashBeyondTheTargetMissesIt() {
    Report report = report(List.of(QUICK), QUICK, Pace.LEASE.plusMillis(510));

    assertThat(report.allTargetsReached()).isFalse();
    assertThat(report.render()).contains("| 3.51 s | NO |");
  }

  private static Report report(List<Duration> handOvers, Duration... crashes) {
    Findings own = new Findings();
    for (Duration crash : crashes) {
      own.add(handOvers, crash);
    }
    return new Report(Map.of(Kind.PORTCULLIS, own));
  }
}

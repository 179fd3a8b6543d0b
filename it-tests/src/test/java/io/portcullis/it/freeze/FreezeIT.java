package io.portcullis.it.freeze;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.portcullis.it.support.Jdks;
import io.portcullis.it.support.Signals;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class FreezeIT {
  private static final int REPETITIONS = 20;

  @BeforeAll
  static void needSignals() throws InterruptedException {
    assumeTrue(Signals.available(), "needs a system where a shell can send SIGSTOP with kill");
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void noCallPassesTheGateWhenWakingAfterTheDeadline(Path jdk)
      throws IOException, InterruptedException {
    List<FreezeReport> reports = new ArrayList<>();
    try (FreezeHarness harness = FreezeHarness.start(jdk, GateGuard.NAME)) {
      for (int i = 0; i < REPETITIONS; i++) {
        reports.addAll(harness.freezeOnce());
      }
    }

    assertThat(reports)
        .hasSizeGreaterThanOrEqualTo(REPETITIONS)
        .allSatisfy(report -> assertThat(report.passedLate()).isZero())
        .allSatisfy(report -> assertThat(report.threadsRefused()).isEqualTo(CallLoopJvm.THREADS));
  }

  /** Proves that the harness can detect late calls. */
  @ParameterizedTest
  @MethodSource("jdks")
  void timerFlagLetsCallsPassWhenWakingAfterTheDeadline(Path jdk)
      throws IOException, InterruptedException {
    long passedLate = 0;
    try (FreezeHarness harness = FreezeHarness.start(jdk, TimerFlagGuard.NAME)) {
      for (int i = 0; i < REPETITIONS && passedLate == 0; i++) {
        List<FreezeReport> reports = harness.freezeOnce();
        passedLate = reports.get(reports.size() - 1).passedLate();
      }
    }

    assertThat(passedLate).isPositive();
  }

  static Stream<Path> jdks() {
    return Jdks.all();
  }
}

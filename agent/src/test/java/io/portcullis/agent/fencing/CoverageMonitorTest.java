package io.portcullis.agent.fencing;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.agent.fencing.CoverageMonitor.FenceUsage;
import io.portcullis.agent.fencing.CoverageMonitor.UnusedFenceCheck;
import io.portcullis.agent.node.FenceView.FenceCoverage;
import io.portcullis.fencing.weave.UnfencedDriver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CoverageMonitorTest {
  /** A clock that overflows during the tests, as a monotonic clock may. */
  private long nanoTime = Long.MAX_VALUE - Duration.ofSeconds(10).toNanos();

  private boolean leads = true;
  private int open;
  private long opened;
  private final List<String> log = new ArrayList<>();
  private final CoverageMonitor monitor =
      new CoverageMonitor(
          () -> List.of(new FenceUsage("main", "writer", leads, open, opened)),
          () -> nanoTime,
          log::add);

  private void pass(Duration time) {
    nanoTime += time.toNanos();
    monitor.check();
  }

  private boolean isUnused() {
    return monitor.coverage("main").unused();
  }

  @Test
  void leaderWithoutFencedConnectionIsReportedAfterAMinute() {
    monitor.check();
    pass(UnusedFenceCheck.MAX_UNUSED.minusNanos(1));
    assertThat(isUnused()).isFalse();
    assertThat(log).isEmpty();

    pass(Duration.ofNanos(1));

    assertThat(isUnused()).isTrue();
    assertThat(log)
        .singleElement()
        .asString()
        .contains("election=writer fence=main", "led for 60 s", "match", "pgjdbc");
  }

  @Test
  void standbyWithoutConnectionsIsNotReported() {
    leads = false;
    monitor.check();
    pass(Duration.ofHours(1));
    assertThat(isUnused()).isFalse();

    leads = true;
    pass(Duration.ofSeconds(3));
    pass(Duration.ofSeconds(59));

    assertThat(isUnused()).isFalse();
    assertThat(log).isEmpty();
  }

  @Test
  void idleConnectionThatWasOpenedLongAgoCounts() {
    open = 1;
    opened = 1;
    monitor.check();
    pass(Duration.ofHours(1));
    pass(Duration.ofHours(1));

    assertThat(isUnused()).isFalse();

    open = 0;
    pass(Duration.ofSeconds(3));
    pass(UnusedFenceCheck.MAX_UNUSED);
    assertThat(isUnused()).isTrue();
  }

  @Test
  void connectionOpenedAndClosedBetweenChecksCounts() {
    monitor.check();
    for (int i = 0; i < 10; i++) {
      opened++;
      pass(Duration.ofSeconds(50));
      assertThat(isUnused()).isFalse();
    }
    assertThat(log).isEmpty();
  }

  @Test
  void unusedFenceReportEndsWithFirstConnection() {
    for (int i = 0; i < 3; i++) {
      open = 0;
      monitor.check();
      pass(UnusedFenceCheck.MAX_UNUSED);
      assertThat(isUnused()).isTrue();

      open = 1;
      opened++;
      pass(Duration.ofSeconds(3));
      assertThat(isUnused()).isFalse();
    }
    assertThat(log).hasSize(1);
  }

  @Test
  void eachUnfencedDriverIsLoggedOnceWithTheRemedy() {
    monitor.driversFound(Set.of(UnfencedDriver.R2DBC_POSTGRESQL));
    monitor.driversFound(Set.of(UnfencedDriver.R2DBC_POSTGRESQL, UnfencedDriver.PGJDBC_NG));

    assertThat(log).hasSize(2).allMatch(line -> line.contains("use pgjdbc"));
    assertThat(monitor.coverage("main"))
        .isEqualTo(new FenceCoverage(false, List.of("pgjdbc-ng", "r2dbc-postgresql")));
  }
}

package io.portcullis.agent.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.agent.runtime.ReloadProgress.ReloadTimeoutException;
import io.portcullis.rules.RulesInForce.ReplacementProgress.ReplacementStep;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ReloadProgressTest {
  /** Overflows during the test, as a monotonic clock may. */
  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - Duration.ofSeconds(5).toNanos());

  private final List<String> reports = new ArrayList<>();
  private final ReloadProgress progress = new ReloadProgress(reports::add, now::get);

  private void pass(Duration time) {
    now.addAndGet(time.toNanos());
  }

  @Test
  void shortReloadReportsNothing() {
    pass(ReloadProgress.REPORT_INTERVAL.minusNanos(1));
    progress.checked(ReplacementStep.TRYING, 1, 2);

    assertThat(reports).isEmpty();
  }

  @Test
  void longReloadReportsEveryTenSeconds() {
    pass(ReloadProgress.REPORT_INTERVAL);
    progress.checked(ReplacementStep.TRYING, 30_000, 69_824);
    progress.checked(ReplacementStep.TRYING, 30_001, 69_824);
    pass(ReloadProgress.REPORT_INTERVAL);
    progress.checked(ReplacementStep.WEAVING, 7, 69_824);

    assertThat(reports)
        .containsExactly(
            "reload has run for 10 s, trying the rules: 30,000 of 69,824 loaded classes checked",
            "reload has run for 20 s, weaving the new rules beside those in force: 7 of 69,824"
                + " loaded classes checked");
  }

  @Test
  void reloadIsStoppedAfterItsMaximumDuration() {
    pass(ReloadProgress.MAX_RELOAD);
    progress.checked(ReplacementStep.WEAVING, 1, 2);
    pass(Duration.ofNanos(1));

    assertThatThrownBy(() -> progress.checked(ReplacementStep.WEAVING, 1, 2))
        .isInstanceOf(ReloadTimeoutException.class)
        .hasMessageContaining("stopped after 5 minutes")
        .hasMessageContaining("1 of 2 loaded classes");
  }
}

package io.portcullis.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.election.config.Backoff;
import io.portcullis.election.config.Timing;
import io.portcullis.election.contract.ReferenceSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** client-go's durations as an election's timing. */
class KubernetesTimingTest {

  private static ReferenceSettings settings(Map<String, String> changes) {
    return ReferenceSettings.of(KubernetesBackend.class, changes);
  }

  private static Timing timing(Map<String, String> changes) {
    ReferenceSettings settings = settings(changes);
    Timing timing = KubernetesTiming.read(settings.section("timing"));
    assertThat(settings.refusals()).isEmpty();
    return Objects.requireNonNull(timing);
  }

  private static List<String> refusals(Map<String, String> changes) {
    ReferenceSettings settings = settings(changes);
    assertThat(KubernetesTiming.read(settings.section("timing"))).isNull();
    return settings.refusals();
  }

  @Test
  void defaultsMatchTheContract() {
    Timing timing = timing(Map.of());

    Duration retry = Duration.ofSeconds(2);
    Backoff pace = Backoff.between(retry, Duration.ofMillis(4400));
    assertThat(timing.lease()).isEqualTo(Duration.ofSeconds(15));
    assertThat(timing.renewDeadline()).isEqualTo(Duration.ofSeconds(10));
    assertThat(timing.renew()).isEqualTo(retry);
    assertThat(timing.retry()).isEqualTo(List.of(retry));
    assertThat(timing.stepDownAfterRetries()).isFalse();
    assertThat(timing.askTimeout()).isEqualTo(Duration.ofSeconds(4));
    assertThat(timing.heldBackoff()).isEqualTo(pace);
    assertThat(timing.unknownBackoff()).isEqualTo(pace);
    assertThat(timing.holdAfterLapse()).isEqualTo(timing.lease());
    assertThat(timing.longestLease()).isEqualTo(timing.lease());
  }

  @Test
  void unsetDurationsFollowTheLease() {
    Timing timing = timing(Map.of("timing.lease", "30s"));

    assertThat(timing.renewDeadline()).isEqualTo(Duration.ofSeconds(20));
    assertThat(timing.renew()).isEqualTo(Duration.ofSeconds(4));
    assertThat(timing.askTimeout()).isEqualTo(Duration.ofSeconds(8));
  }

  @ParameterizedTest
  @CsvSource({"2s", "3s", "7s", "60s", "3600s"})
  void leaseOfAnyWholeSecondsNeedsNoOtherDuration(String lease) {
    assertThat(timing(Map.of("timing.lease", lease)).askTimeout()).isPositive();
  }

  @Test
  void configuredValuesAreUsed() {
    Timing timing =
        timing(
            Map.of(
                "timing.lease", "20s",
                "timing.renew-deadline", "12s",
                "timing.retry", "3s",
                "timing.ask-timeout", "1500ms",
                "timing.longest-lease", "40s",
                "timing.first-election", "after-lease"));

    assertThat(timing.renewDeadline()).isEqualTo(Duration.ofSeconds(12));
    assertThat(timing.renew()).isEqualTo(Duration.ofSeconds(3));
    assertThat(timing.askTimeout()).isEqualTo(Duration.ofMillis(1500));
    assertThat(timing.longestLease()).isEqualTo(Duration.ofSeconds(40));
  }

  @ParameterizedTest
  @CsvSource({
    "lease, 1s, 'is 1s; it must be whole seconds, and at least 2 of them.'",
    "lease, 2500ms, 'is 2500ms; it must be whole seconds, and at least 2 of them.'",
    "renew-deadline, 15s, 'is 15s; it must be shorter than lease, 15s.'",
    "renew-deadline, 16s, 'is 16s; it must be shorter than lease, 15s.'",
    "retry, 8334ms, 'is 8334ms; 1.2 times that must be shorter than renew-deadline, 10s.'",
    "ask-timeout, 5s, 'is 5s; it must be shorter than half of renew-deadline, 5s, so that a"
        + " request that hangs leaves time for another.'"
  })
  void incompatibleDurationsAreRefusedWithTheRelation(String key, String value, String problem) {
    assertThat(refusals(Map.of("timing." + key, value))).contains("timing." + key + " " + problem);
  }

  @Test
  void limitsOfTheRelationsAreAllowed() {
    assertThat(timing(Map.of("timing.retry", "8333ms")).renew()).isEqualTo(Duration.ofMillis(8333));
    assertThat(timing(Map.of("timing.ask-timeout", "4999ms")).askTimeout())
        .isEqualTo(Duration.ofMillis(4999));
    assertThat(timing(Map.of("timing.renew-deadline", "14999ms")).renewDeadline())
        .isEqualTo(Duration.ofMillis(14999));
  }

  @Test
  void allBrokenRelationsAreReportedTogether() {
    assertThat(
            refusals(
                Map.of(
                    "timing.lease", "10s",
                    "timing.renew-deadline", "11s",
                    "timing.retry", "11s",
                    "timing.ask-timeout", "6s")))
        .hasSize(3);
  }

  @Test
  void longestLeaseBelowTheLeaseIsRefused() {
    assertThat(refusals(Map.of("timing.longest-lease", "14s")))
        .singleElement()
        .asString()
        .contains("longest-lease");
  }
}

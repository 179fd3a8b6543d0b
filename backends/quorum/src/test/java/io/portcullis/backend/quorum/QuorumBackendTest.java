package io.portcullis.backend.quorum;

import static io.portcullis.backend.quorum.QuorumPlanFixture.SECRET;
import static io.portcullis.backend.quorum.QuorumPlanFixture.plan;
import static io.portcullis.backend.quorum.QuorumPlanFixture.problem;
import static io.portcullis.backend.quorum.QuorumPlanFixture.problems;
import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.backend.quorum.network.NetworkConfig.MemberEndpoint;
import io.portcullis.election.backend.Backend;
import io.portcullis.election.config.Backoff;
import io.portcullis.election.config.Timing;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the plan of a valid configuration, and the problems reported for an invalid one. */
class QuorumBackendTest {
  @Test
  void serviceLoaderFindsTheBackend() {
    assertThat(ServiceLoader.load(Backend.class))
        .anyMatch(backend -> backend.name().equals("quorum"));
  }

  @Test
  void defaultTimingsHaveTheDocumentedValues() {
    QuorumStorePlan plan = plan(Map.of());

    Timing timing = plan.timing();
    assertThat(timing.lease()).isEqualTo(Duration.ofSeconds(10));
    assertThat(timing.renew()).isEqualTo(Duration.ofSeconds(1));
    assertThat(timing.retry()).isEqualTo(List.of(Duration.ofMillis(250)));
    assertThat(timing.stepDownAfterRetries()).isFalse();
    assertThat(timing.holdAfterLapse()).isZero();
    assertThat(timing.heldBackoff()).isEqualTo(Backoff.steady(Duration.ofSeconds(1), 0.1));
    assertThat(timing.unknownBackoff())
        .isEqualTo(Backoff.between(Duration.ofNanos(37_500_000), Duration.ofMillis(75)));
    assertThat(plan.tempo().electionMin()).isEqualTo(Duration.ofMillis(150));
    assertThat(plan.tempo().electionMax()).isEqualTo(Duration.ofMillis(300));
  }

  @Test
  void planContainsTheConfiguredMembership() {
    QuorumStorePlan plan = plan(Map.of("quorum.listen", "0.0.0.0:7500"));

    assertThat(plan.cluster()).isEqualTo("orders/writer");
    assertThat(plan.members())
        .containsExactly(
            new MemberEndpoint("a", "10.0.0.7", 7400),
            new MemberEndpoint("b", "10.0.0.8", 7400),
            new MemberEndpoint("c", "10.0.0.9", 7400));
    assertThat(plan.self()).isEqualTo(1);
    assertThat(plan.listen()).isEqualTo(new MemberAddress("0.0.0.0", 7500));
    assertThat(plan.trust().credentials().secrets()).containsExactly(SECRET);
    assertThat(plan.trust().tls()).isNull();
    assertThat(plan.dataDir()).isEqualTo(Path.of("/var/lib/portcullis"));
    assertThat(plan.storeKey()).isEqualTo("quorum 0.0.0.0:7500");
    assertThat(plan.warnings()).isEmpty();
  }

  @Test
  void listenDefaultsToTheOwnMembersAddress() {
    assertThat(plan(Map.of()).listen()).isEqualTo(new MemberAddress("10.0.0.8", 7400));
  }

  @Test
  void shownSettingsContainNoSecret() {
    QuorumStorePlan plan = plan(Map.of("quorum.other-secret", "other-" + SECRET));

    assertThat(plan.trust().credentials().secrets()).containsExactly(SECRET, "other-" + SECRET);
    assertThat(plan.describe()).contains("quorum of 3 members", "this is b", "two shared secrets");
    assertThat(plan.describe() + plan.storeKey() + plan).doesNotContain("hush");
    assertThat(plan(Map.of()).describe() + plan(Map.of())).doesNotContain("hush");
  }

  @Test
  void relativeDataFolderCausesAWarning() {
    assertThat(plan(Map.of("quorum.data-dir", "data")).warnings())
        .singleElement()
        .asString()
        .contains("relative to the working folder");
  }

  @Test
  void dataFolderIsRequired() {
    assertThat(problem(Map.of("quorum.data-dir", "")))
        .isEqualTo("quorum.data-dir is missing; set it");
    assertThat(problem(Map.of("quorum.data-dir", "a\0b"))).contains("is not a valid folder path");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "renew | 4s | at most a third of lease, 3333333333ns",
        "renew | 5ms | at least 10ms",
        "election-timeout-min | 300ms | shorter than election-timeout-max, 300ms",
        "election-timeout-min | 5ms | at least 10ms",
        "election-timeout-max | 5s | twice that must be shorter than lease, 10s",
        "lease | 600ms | twice that must be shorter than lease, 600ms",
        "longest-lease | 5s | longest-lease 5s must not be shorter than lease 10s",
        "ask-timeout | 11s | ask-timeout 11s must not be longer than",
      })
  void inconsistentTimingsAreRejected(String key, String value, String problem) {
    assertThat(problem(Map.of("timing." + key, value))).startsWith("timing.").contains(problem);
  }

  @Test
  void heartbeatIntervalFollowsTheLeaseUnlessSet() {
    assertThat(plan(Map.of("timing.lease", "2s")).timing().renew())
        .isEqualTo(Duration.ofMillis(200));
    assertThat(plan(Map.of("timing.lease", "3s", "timing.renew", "1s")).timing().renew())
        .isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void allProblemsAreReportedTogether() {
    assertThat(
            problems(
                Map.of(
                    "timing.renew", "9s",
                    "timing.election-timeout-min", "1s",
                    "quorum.members.a", "nowhere",
                    "quorum.listen", "x",
                    "quorum.self", "z",
                    "quorum.secret", "short",
                    "quorum.tls.cert", "/no/such/file",
                    "quorum.data-dir", "")))
        .hasSize(10);
  }
}

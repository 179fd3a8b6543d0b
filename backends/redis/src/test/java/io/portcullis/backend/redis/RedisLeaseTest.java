package io.portcullis.backend.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.election.LeaderElection;
import io.portcullis.election.backend.StorePlan;
import io.portcullis.election.config.InvalidElectionException;
import io.portcullis.election.contract.OneShotContract;
import io.portcullis.election.contract.ReferenceSettings;
import io.portcullis.election.contract.TestTimeouts;
import io.portcullis.testsupport.DocumentedExample;
import io.portcullis.testsupport.DocumentedExample.Run;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Redis without the agent. */
class RedisLeaseTest extends OneShotContract {
  private static final String PAGE = "docs/library.md";

  /** The documented examples have the default lease. */
  private static final Duration DEFAULT_LEASE = Duration.ofSeconds(30);

  private static final String[] PACKAGES = {
    "io.portcullis.backend.redis", "io.portcullis.election", "io.portcullis.election.backend"
  };

  @TempDir Path classes;

  @Override
  protected StorePlan newLease() {
    return RedisLease.builder()
        .uri(SharedRedis.SERVER.uri())
        .key("test:" + UUID.randomUUID())
        .lease(RedisFixture.STEADY_LEASE)
        .build();
  }

  @Test
  void defaultsAreThoseOfTheAgent() {
    ReferenceSettings settings =
        ReferenceSettings.of(RedisBackend.class, Map.of("redis.key", "stargate:leader"));

    StorePlan plan = RedisLease.builder().key("stargate:leader").build();

    assertThat(plan).isEqualTo(new RedisBackend().plan("orders", "writer", settings));
  }

  @Test
  void everyOptionIsUsed() {
    RedisStorePlan plan =
        (RedisStorePlan)
            RedisLease.builder()
                .uri("rediss://redis.example:6380/3")
                .key("k")
                .replicas(2)
                .username("app")
                .password("hush")
                .verifyHost(false)
                .lease(Duration.ofSeconds(12))
                .renew(Duration.ofSeconds(3))
                .retry(Duration.ofMillis(100), Duration.ofMillis(200))
                .reacquire(Duration.ofSeconds(1))
                .reacquireMax(Duration.ofSeconds(3))
                .build();

    ReferenceSettings settings =
        ReferenceSettings.of(
            RedisBackend.class,
            Map.of(
                "timing.lease", "12s",
                "timing.renew", "3s",
                "timing.retry", "100ms,200ms",
                "timing.reacquire", "1s",
                "timing.reacquire-max", "3s"));
    StorePlan configured = Objects.requireNonNull(new RedisBackend().plan("", "", settings));
    assertThat(plan.timing()).isEqualTo(configured.timing());
    assertThat(plan.describe()).contains("rediss://redis.example:6380/3, key k");
    assertThat(plan.replicas()).isEqualTo(2);
    assertThat(plan.access().user()).isEqualTo("app");
    assertThat(Objects.requireNonNull(plan.access().password()).current()).isEqualTo("hush");
    assertThat(plan.access().verifyHost()).isFalse();
    assertThat(plan.toString()).doesNotContain("hush");
  }

  @Test
  void allMissingAndInvalidOptionsAreReportedTogether() {
    assertThatThrownBy(
            () ->
                RedisLease.builder()
                    .uri("http://localhost")
                    .username("app")
                    .passwordFile(Path.of("/no/such/file"))
                    .replicas(-1)
                    .renew(Duration.ofMinutes(1))
                    .build())
        .isInstanceOf(InvalidElectionException.class)
        .hasMessageContainingAll(
            "uri is no Redis URI",
            "passwordFile can't be read: the file /no/such/file does not exist",
            "replicas is -1",
            "renew 60s",
            "key is missing: the key of the lease");
  }

  @Test
  void continuousExampleLeadsAndReleases() throws Exception {
    RedisFixture.grown(SharedRedis.SERVER, DEFAULT_LEASE);
    DocumentedExample example = DocumentedExample.of(PAGE, "Redis");
    assertThat(example.length()).isLessThanOrEqualTo(10);
    String key = "test:" + UUID.randomUUID();

    try (Run run = start(example, "stargate:leader", key)) {
      assertThat(run.awaitWork()).isPositive();
      assertThat(RedisCli.command(SharedRedis.SERVER, "GET", key)).contains(":");
    }

    assertThat(RedisCli.command(SharedRedis.SERVER, "GET", key)).isEqualTo("(nil)");
  }

  @Test
  void oneShotExampleWorksUnlessAnotherLeads() throws Exception {
    RedisFixture.grown(SharedRedis.SERVER, DEFAULT_LEASE);
    DocumentedExample example = DocumentedExample.of(PAGE, "One-shot use");
    assertThat(example.length()).isLessThanOrEqualTo(10);
    String key = "test:" + UUID.randomUUID();

    try (Run run = start(example, "report:leader", key)) {
      assertThat(run.awaitEnd()).isTrue();
    }
    StorePlan lease = RedisLease.builder().uri(SharedRedis.SERVER.uri()).key(key).build();
    try (LeaderElection other = LeaderElection.on(lease).once(TestTimeouts.MAX_WAIT)) {
      assertThat(other.isLeader()).isTrue();
      try (Run run = start(example, "report:leader", key)) {
        assertThat(run.awaitEnd()).isFalse();
      }
    }
  }

  private Run start(DocumentedExample example, String documentedKey, String key) throws Exception {
    return example
        .with("redis://localhost:6379", SharedRedis.SERVER.uri())
        .with(documentedKey, key)
        .start(classes, PACKAGES);
  }
}

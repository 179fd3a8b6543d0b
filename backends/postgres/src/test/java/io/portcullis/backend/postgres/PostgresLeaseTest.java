package io.portcullis.backend.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.election.backend.StorePlan;
import io.portcullis.election.config.InvalidElectionException;
import io.portcullis.election.contract.OneShotContract;
import io.portcullis.election.contract.ReferenceSettings;
import io.portcullis.election.contract.TestTimeouts;
import io.portcullis.servers.PostgresServer;
import io.portcullis.testsupport.DocumentedExample;
import io.portcullis.testsupport.DocumentedExample.Run;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Postgres without the agent. */
class PostgresLeaseTest extends OneShotContract {
  private static final PostgresServer SERVER = SharedPostgres.SERVER;

  @TempDir Path folder;

  @Override
  protected StorePlan newLease() {
    return PostgresLease.builder()
        .url(SERVER.url())
        .user(SERVER.user())
        .table(newTable())
        .scope("orders:writer")
        .lease(TestTimeouts.STEADY_LEASE)
        .build();
  }

  private static String newTable() {
    return "library_" + UUID.randomUUID().toString().replace("-", "");
  }

  @Test
  void defaultsAreThoseOfTheAgent() {
    ReferenceSettings settings =
        ReferenceSettings.of(
            PostgresBackend.class,
            Map.of("postgres.url", "jdbc:postgresql://db/app", "postgres.user", "app"));

    StorePlan plan =
        PostgresLease.builder()
            .url("jdbc:postgresql://db/app")
            .user("app")
            .scope("orders:writer")
            .build();

    assertThat(plan).isEqualTo(new PostgresBackend().plan("orders", "writer", settings));
  }

  @Test
  void everyOptionIsUsed() {
    PostgresStorePlan plan =
        (PostgresStorePlan)
            PostgresLease.builder()
                .url("jdbc:postgresql://db/app")
                .user("app")
                .password("hush")
                .table("ops.leader")
                .scope("s")
                .lockKey(4711)
                .channel("off")
                .lease(Duration.ofSeconds(40))
                .renew(Duration.ofSeconds(9))
                .jitter(0.1)
                .acquireMin(Duration.ofSeconds(1))
                .acquireMax(Duration.ofSeconds(2))
                .stale(Duration.ofSeconds(50))
                .build();

    ReferenceSettings settings =
        ReferenceSettings.of(
            PostgresBackend.class,
            Map.of(
                "postgres.url", "jdbc:postgresql://db/app",
                "postgres.user", "app",
                "timing.lease", "40s",
                "timing.renew", "9s",
                "timing.jitter", "10%",
                "timing.acquire-min", "1s",
                "timing.acquire-max", "2s",
                "timing.stale", "50s"));
    StorePlan configured = Objects.requireNonNull(new PostgresBackend().plan("", "", settings));
    assertThat(plan.timing()).isEqualTo(configured.timing());
    assertThat(plan.table()).hasToString("ops.leader");
    assertThat(plan.scope()).isEqualTo("s");
    assertThat(plan.lockKey()).isEqualTo(4711);
    assertThat(plan.channel()).isNull();
    assertThat(Objects.requireNonNull(plan.access().password()).current()).isEqualTo("hush");
    assertThat(plan.toString()).doesNotContain("hush");
  }

  @Test
  void allMissingAndInvalidOptionsAreReportedTogether() {
    assertThatThrownBy(
            () ->
                PostgresLease.builder()
                    .table("No Table")
                    .password("hush")
                    .passwordFile(Path.of("/no/such/file"))
                    .acquireMin(Duration.ofSeconds(3))
                    .build())
        .isInstanceOf(InvalidElectionException.class)
        .hasMessageContainingAll(
            "url is missing",
            "password is set besides passwordFile",
            "table 'No Table' is not a table name",
            "acquireMin must not be longer than acquire-max",
            "scope is missing: the key of the election's row");
  }

  @Test
  void documentedExampleLeadsAndReleases() throws Exception {
    DocumentedExample example = DocumentedExample.of("docs/library.md", "Postgres");
    assertThat(example.length()).isLessThanOrEqualTo(10);
    Path password = Files.writeString(folder.resolve("password"), "any\n");
    Path classes = Files.createDirectory(folder.resolve("classes"));
    String scope = "orders:" + UUID.randomUUID();

    try (Run run =
        example
            .with("jdbc:postgresql://localhost/app", SERVER.url())
            .with(".user(\"app\")", ".user(\"" + SERVER.user() + "\")")
            .with("/run/secrets/app-db", password.toString())
            .with("orders:writer", scope)
            .start(
                classes,
                "io.portcullis.backend.postgres",
                "io.portcullis.election",
                "io.portcullis.election.backend")) {
      long epoch = run.awaitWork();
      assertThat(column("epoch", scope)).isEqualTo(Long.toString(epoch));
      assertThat(column("released", scope)).isEqualTo("false");
    }

    assertThat(column("released", scope)).isEqualTo("true");
  }

  private static String column(String name, String scope) {
    return SERVER.query(
        "SELECT " + name + "::text FROM portcullis_leader WHERE scope = '" + scope + "'");
  }
}

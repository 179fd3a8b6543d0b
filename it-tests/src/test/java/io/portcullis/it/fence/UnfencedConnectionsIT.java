package io.portcullis.it.fence;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.portcullis.it.support.Artifacts;
import io.portcullis.it.support.JvmLauncher;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests connections to a fenced database that could bypass its fence: each is fenced or reported.
 */
@Timeout(value = 240, threadMode = ThreadMode.SEPARATE_THREAD)
class UnfencedConnectionsIT {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final String REFUSED = "refused: io.portcullis.gate.NotLeaderException";

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  private ServiceJvm startWriter(FencedDatabaseFixture vault, Path driver, String url)
      throws IOException {
    vault.start(stage, "leader", vault.fenced()).awaitRole("LEADER");
    return stage.start(
        "standby",
        JvmLauncher.application(UngatedWriter.class.getName(), driver)
            .argument(url)
            .argument(vault.postgres().user())
            .env("PORTCULLIS__node__id", "standby")
            .conf(vault.fenced()));
  }

  @Test
  void standbyCannotWriteThroughAForkedDriver() throws IOException, InterruptedException {
    FencedDatabaseFixture vault = FencedDatabaseFixture.open(stage);
    String url = vault.postgres().url().replace("jdbc:postgresql:", "jdbc:yugabytedb:");

    ServiceJvm standby = startWriter(vault, Artifacts.forkedDriver(), url);

    standby.awaitLog("connected by com.yugabyte.jdbc.PgConnection");
    standby.awaitLog(REFUSED);
    assertThat(vault.entries()).isEmpty();
    assertThat(fence(standby).path("connections").asInt()).isEqualTo(1);
  }

  @Test
  void standbyCannotWriteInReplicationSession() throws IOException {
    FencedDatabaseFixture vault = FencedDatabaseFixture.open(stage);
    String url =
        vault.postgres().url()
            + "?replication=database&assumeMinServerVersion=12&preferQueryMode=simple";

    ServiceJvm standby = startWriter(vault, Artifacts.jobs(), url);

    standby.awaitLog(REFUSED);
    assertThat(vault.entries()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"r2dbc-postgresql", "pgjdbc-ng", "vertx-pg-client"})
  void driverThatCannotBeFencedIsReported(String driver) throws IOException, InterruptedException {
    FencedDatabaseFixture vault = FencedDatabaseFixture.open(stage);
    vault.postgres().execute("create table payments (amount int)");
    ServiceJvm node =
        stage.start(
            "a",
            JvmLauncher.program(Artifacts.otherDrivers(), "com.acme.drivers.OtherDriverWriter")
                .argument(driver)
                .argument(vault.postgres().host())
                .argument(Integer.toString(vault.postgres().port()))
                .argument("postgres")
                .argument(vault.postgres().user())
                .env("PORTCULLIS__node__id", "a")
                .conf(vault.fenced()));
    Awaitility.await("row written without the fence")
        .atMost(TIMEOUT)
        .until(() -> vault.postgres().query("select count(*) from payments").equals("1"));

    Awaitility.await("driver in the status")
        .atMost(TIMEOUT)
        .until(() -> fence(node).path("unfencedDrivers").path(0).asText().equals(driver));
    node.awaitLog("no fence covers connections of " + driver + ",");
    assertThat(fence(node).path("unfencedDrivers")).hasSize(1);
    assertThat(node.get("/metrics").body())
        .contains("portcullis_unfenced_driver{driver=\"" + driver + "\"} 1")
        .contains("portcullis_fence_unused{");
  }

  private static JsonNode fence(ServiceJvm node) throws IOException, InterruptedException {
    return node.status().json().path("fences").path(0);
  }
}

package io.portcullis.it.fence;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.JvmLauncher;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import io.portcullis.it.support.WriteResult;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests fences in real nodes, from the operator's point of view. */
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class FenceIT {
  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  @Test
  void leaderAcquiresEpochAboveTheFence() throws IOException, InterruptedException {
    FencedDatabaseFixture vault = FencedDatabaseFixture.open(stage);
    ServiceJvm node = vault.start(stage, "a", vault.fenced()).awaitRole("LEADER");
    vault.awaitTransfersBy("a");

    long far = node.status().epoch() + 1_000_000;
    vault
        .postgres()
        .execute("update portcullis.portcullis_fence set epoch = " + far + ", holder = 'x'");

    Awaitility.await("epoch above the fence's")
        .atMost(FencedDatabaseFixture.TIMEOUT)
        .until(() -> node.leads() && node.status().epoch() > far);
    vault.awaitTransfersBy("a");
    assertThat(vault.staleTransfers()).isEmpty();
  }

  @Test
  void fenceIsRaisedAgainAfterDatabaseRollback() throws IOException, InterruptedException {
    FencedDatabaseFixture vault = FencedDatabaseFixture.open(stage);
    ServiceJvm node = vault.start(stage, "a", vault.fenced()).awaitRole("LEADER");
    vault.awaitTransfersBy("a");
    long epoch = node.status().epoch();

    goBack(vault);

    awaitEpoch(vault, epoch);
    vault.awaitTransfersBy("a");
    assertThat(node.status().epoch()).isEqualTo(epoch);
  }

  private static void goBack(FencedDatabaseFixture vault) {
    vault.postgres().execute("update portcullis.portcullis_fence set epoch = 1, holder = 'old'");
  }

  /**
   * Waits for the epoch in the database: a transfer alone may have been checked before the change.
   */
  private static void awaitEpoch(FencedDatabaseFixture vault, long epoch) {
    Awaitility.await("the fence at epoch " + epoch)
        .atMost(FencedDatabaseFixture.TIMEOUT)
        .until(
            () ->
                vault
                    .postgres()
                    .query("select epoch from portcullis.portcullis_fence")
                    .equals("" + epoch));
  }

  /**
   * The next periodic check of the fence is minutes away, so the refused write must trigger the
   * raise.
   */
  @Test
  void restoredDatabaseIsRaisedAtItsFirstRefusedWrite() throws IOException, InterruptedException {
    FencedDatabaseFixture vault = FencedDatabaseFixture.open(stage);
    AgentConf rare = vault.fenced(vault.unfencedOnPostgres(Duration.ofMinutes(20)));
    ServiceJvm node = vault.start(stage, "a", rare).awaitRole("LEADER");
    vault.awaitTransfersBy("a");

    goBack(vault);

    awaitEpoch(vault, node.status().epoch());
    vault.awaitTransfersBy("a");
  }

  @Test
  void nodeThatCannotReachTheFenceDoesNotCampaign() throws IOException, InterruptedException {
    FencedDatabaseFixture vault = FencedDatabaseFixture.open(stage);
    ServiceJvm first = vault.start(stage, "first", vault.fenced()).awaitRole("LEADER");
    String nowhere =
        "[ { id = main, url = \"jdbc:postgresql://127.0.0.1:1/app\", user = app, wait = 200ms } ]";

    ServiceJvm node = vault.start(stage, "a", vault.unfenced().set("fences", nowhere));
    node.awaitLog("fence=main does not respond");
    first.terminate();
    first.awaitExit();
    // While it starts, only the node that does not campaign is running.
    vault.start(stage, "b", vault.fenced()).awaitRole("LEADER");

    node.awaitRole("STANDBY");
    assertThat(node.output().stderr())
        .noneMatch(line -> line.contains("became leader"))
        .noneMatch(line -> line.contains("is released: "));
  }

  @Test
  void standbyWarnsAboutLeaderThatBypassesTheFence() throws IOException {
    FencedDatabaseFixture vault = FencedDatabaseFixture.open(stage);
    vault.start(stage, "a", vault.unfenced()).awaitRole("LEADER");

    ServiceJvm careful = vault.start(stage, "b", vault.fenced()).awaitRole("STANDBY");

    careful.awaitLog("fence=main is bypassed");
  }

  @Test
  void databaseDetectedFromAConnectionIsFenced() throws IOException, InterruptedException {
    FencedDatabaseFixture vault = FencedDatabaseFixture.open(stage);
    vault.postgres().execute("create database home");
    String fence =
        "[ { id = main, url = \"%s\", user = \"%s\", match = \"jdbc:postgresql://*/*\", wait = 200ms } ]"
            .formatted(vault.postgres().url("home"), vault.postgres().user());

    ServiceJvm node = vault.start(stage, "a", vault.unfenced().set("fences", fence));
    vault.awaitTransfersBy("a");

    assertThat(vault.postgres().query("select epoch from portcullis.portcullis_fence"))
        .isEqualTo("" + node.status().epoch());
    Awaitility.await("connection count of each database")
        .atMost(FencedDatabaseFixture.TIMEOUT)
        .untilAsserted(
            () ->
                assertThat(node.status().body())
                    .containsPattern("\"connections\":0,\"database\":\"[^\"]*/home\"")
                    .containsPattern(
                        "\"connections\":%d,\"database\":\"[^\"]*/postgres\""
                            .formatted(TransferService.WRITER_THREADS)));
    assertThat(node.get("/metrics").body())
        .contains("portcullis_fence_epoch{")
        .contains("portcullis_fence_reached{")
        .containsPattern(
            "portcullis_fence_connections\\{.*/postgres\".*} " + TransferService.WRITER_THREADS);
  }

  @Test
  void ungatedWritesAtStartPassWithUngatedPass() throws IOException {
    FencedDatabaseFixture vault = FencedDatabaseFixture.open(stage);
    ServiceJvm first = ledger(vault, "a", "pass").awaitRole("LEADER");
    ServiceJvm second = ledger(vault, "b", "pass").awaitRole("STANDBY");

    assertThat(first.write().outcome()).isEqualTo(WriteResult.Outcome.ACCEPTED);
    assertThat(second.write().outcome()).isEqualTo(WriteResult.Outcome.REFUSED);

    first.terminate();
    second.awaitRole("LEADER");
    assertThat(second.write().outcome()).isEqualTo(WriteResult.Outcome.ACCEPTED);
  }

  @Test
  void refusedUngatedWriteLogNamesUngatedPass() throws IOException {
    ServiceJvm node = ledger(FencedDatabaseFixture.open(stage), "a", "fence");

    node.awaitLog("set ungated = pass in this fence (docs/fencing.md)");
  }

  private ServiceJvm ledger(FencedDatabaseFixture vault, String name, String ungated)
      throws IOException {
    String url = vault.postgres().url("ledger");
    String user = vault.postgres().user();
    String fence =
        "[ { id = main, url = \"%s\", user = \"%s\", wait = 200ms, ungated = %s } ]"
            .formatted(url, user, ungated);
    return stage.start(
        name,
        JvmLauncher.demoService(name, Path.of("unused"))
            .env("DB_URL", url)
            .env("DB_USER", user)
            .conf(vault.ledger().set("fences", fence)));
  }
}

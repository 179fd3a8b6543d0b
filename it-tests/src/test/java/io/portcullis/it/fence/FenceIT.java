package io.portcullis.it.fence;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.it.support.Launch;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.Stage;
import io.portcullis.it.support.Write;
import java.io.IOException;
import java.nio.file.Path;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Fences as an operator meets them. */
@Timeout(value = 240, threadMode = ThreadMode.SEPARATE_THREAD)
class FenceIT {
  @RegisterExtension final Stage stage = Stage.perTest();

  @Test
  void epochThatTheFenceHasSeenIsWonAbove() throws IOException, InterruptedException {
    Vault vault = Vault.open(stage);
    ServiceJvm node = vault.start(stage, "a", vault.fenced()).awaitRole("LEADER");
    vault.awaitTransfersBy("a");

    long far = node.status().epoch() + 1_000_000;
    vault.postgres().execute("update portcullis_fence set epoch = " + far + ", holder = 'x'");

    Awaitility.await("an epoch above the fence's")
        .atMost(Vault.PATIENCE)
        .until(() -> node.leads() && node.status().epoch() > far);
    vault.awaitTransfersBy("a");
    assertThat(vault.stale()).isEmpty();
  }

  @Test
  void databaseThatWentBackIsRaisedAgain() throws IOException, InterruptedException {
    Vault vault = Vault.open(stage);
    ServiceJvm node = vault.start(stage, "a", vault.fenced()).awaitRole("LEADER");
    vault.awaitTransfersBy("a");
    long epoch = node.status().epoch();

    vault.postgres().execute("update portcullis_fence set epoch = 1, holder = 'old'");

    vault.awaitTransfersBy("a");
    assertThat(vault.postgres().query("select epoch from portcullis_fence")).isEqualTo("" + epoch);
    assertThat(node.status().epoch()).isEqualTo(epoch);
  }

  @Test
  void nodeThatCannotReachTheFenceDoesNotCampaign() throws IOException {
    Vault vault = Vault.open(stage);
    String nowhere =
        "[ { id = main, url = \"jdbc:postgresql://127.0.0.1:1/app\", user = app, wait = 200ms } ]";

    ServiceJvm node = vault.start(stage, "a", vault.unfenced().set("fences", nowhere));
    node.awaitLog("fence=main does not answer");
    ServiceJvm other = vault.start(stage, "b", vault.fenced()).awaitRole("LEADER");

    node.awaitRole("STANDBY");
    assertThat(other.leads()).isTrue();
    assertThat(node.output().stderr()).noneMatch(line -> line.contains("became leader"));
  }

  @Test
  void leaderThatPassesTheFenceByIsWarnedOf() throws IOException {
    Vault vault = Vault.open(stage);
    vault.start(stage, "a", vault.unfenced()).awaitRole("LEADER");

    ServiceJvm careful = vault.start(stage, "b", vault.fenced()).awaitRole("STANDBY");

    careful.awaitLog("fence=main is passed by");
  }

  @Test
  void databaseFirstSeenByAConnectionIsFencedToo() throws IOException, InterruptedException {
    Vault vault = Vault.open(stage);
    vault.postgres().execute("create database home");
    String fence =
        "[ { id = main, url = \"%s\", user = \"%s\", match = \"jdbc:postgresql://*/*\", wait = 200ms } ]"
            .formatted(vault.postgres().url("home"), vault.postgres().user());

    ServiceJvm node = vault.start(stage, "a", vault.unfenced().set("fences", fence));
    vault.awaitTransfersBy("a");

    assertThat(vault.postgres().query("select epoch from portcullis_fence"))
        .isEqualTo("" + node.status().epoch());
    assertThat(node.status().body()).contains("/home").contains("\"connections\":");
    assertThat(node.get("/metrics").body())
        .contains("portcullis_fence_epoch{")
        .contains("portcullis_fence_reached{");
  }

  @Test
  void serviceThatWritesAtItsStartIsLetThroughOutsideGatesIfAsked() throws IOException {
    Vault vault = Vault.open(stage);
    ServiceJvm first = ledger(vault, "a", "pass").awaitRole("LEADER");
    ServiceJvm second = ledger(vault, "b", "pass").awaitRole("STANDBY");

    assertThat(first.write().outcome()).isEqualTo(Write.Outcome.ACCEPTED);
    assertThat(second.write().outcome()).isEqualTo(Write.Outcome.REFUSED);

    first.terminate();
    second.awaitRole("LEADER");
    assertThat(second.write().outcome()).isEqualTo(Write.Outcome.ACCEPTED);
  }

  @Test
  void serviceThatWritesAtItsStartIsToldWhatLetsItThrough() throws IOException {
    ServiceJvm node = ledger(Vault.open(stage), "a", "fence");

    node.awaitLog("set ungated = pass in this fence (docs/fencing.md)");
  }

  private ServiceJvm ledger(Vault vault, String name, String ungated) throws IOException {
    String url = vault.postgres().url("ledger");
    String user = vault.postgres().user();
    String fence =
        "[ { id = main, url = \"%s\", user = \"%s\", wait = 200ms, ungated = %s } ]"
            .formatted(url, user, ungated);
    return stage.start(
        name,
        Launch.demoService(name, Path.of("unused"))
            .env("DB_URL", url)
            .env("DB_USER", user)
            .conf(vault.ledger().set("fences", fence)));
  }
}

package io.portcullis.it.fence;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.Artifacts;
import io.portcullis.it.support.JvmLauncher;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import io.portcullis.servers.PasswordCapturingServer;
import io.portcullis.servers.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests services that connect to databases which the configuration does not name. */
@Timeout(value = 240, threadMode = ThreadMode.SEPARATE_THREAD)
class ForeignDatabaseIT {
  private static final String SECRET = "installer-secret-password";
  private static final int SEVERAL = 5;

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();
  @TempDir Path folder;

  private ServiceJvm visit(FencedDatabaseFixture vault, AgentConf conf, String... urls)
      throws IOException {
    JvmLauncher launch =
        JvmLauncher.application(MultiDatabaseWriter.class.getName(), Artifacts.jobs())
            .argument(vault.postgres().user());
    for (String url : urls) {
      launch = launch.argument(url);
    }
    return stage.start("a", launch.env("PORTCULLIS__node__id", "a").conf(conf));
  }

  @Test
  void fencePasswordIsSentToNoOtherHost() throws IOException {
    FencedDatabaseFixture vault = FencedDatabaseFixture.open(stage);
    PostgresServer home = vault.postgres();
    home.execute("create role installer login superuser password '" + SECRET + "'");
    home.execute("create table visits (n int)");
    Path secret = Files.writeString(folder.resolve("secret"), SECRET);
    String fence =
        "[ { id = main, url = \"%s\", user = installer, password-file = \"%s\", wait = 200ms } ]"
            .formatted(home.url(), secret);
    try (PasswordCapturingServer trap =
        PasswordCapturingServer.open(
            "127.0.0.9", home.port(), PasswordCapturingServer.AuthMethod.CLEAR_TEXT)) {
      String elsewhere = home.url().replace(home.host(), "127.0.0.9");

      ServiceJvm node =
          visit(vault, vault.unfenced().set("fences", fence), home.url(), elsewhere)
              .awaitRole("LEADER");
      node.awaitLog("no fence covers the application's connections to 127.0.0.9");
      Awaitility.await("several visits")
          .atMost(FencedDatabaseFixture.TIMEOUT)
          .until(() -> trap.users().size() > SEVERAL && !home.query("table visits").isEmpty());

      assertThat(trap.users()).doesNotContain("installer");
      assertThat(trap.passwords()).containsOnly("visitors-own-password");
    }
  }

  @Test
  void foreignDatabaseWithHigherEpochEndsNoTenure() throws IOException, InterruptedException {
    FencedDatabaseFixture vault = FencedDatabaseFixture.open(stage);
    PostgresServer home = vault.postgres();
    PostgresServer foreign = stage.postgres();
    home.execute("create table visits (n int)");
    foreign.execute("create table visits (n int)");
    String fence =
        "[ { id = main, %s, match = \"jdbc:postgresql://*/*\", wait = 200ms } ]"
            .formatted(vault.access());
    ServiceJvm node =
        visit(vault, vault.unfenced().set("fences", fence), home.url(), foreign.url())
            .awaitRole("LEADER");
    long epoch = node.status().epoch();
    awaitRow(foreign, "visits");

    foreign.execute(
        "update portcullis.portcullis_fence set epoch = "
            + (epoch + 1_000_000)
            + ", holder = 'foreign'");
    Awaitility.await("reported problem of that database")
        .atMost(FencedDatabaseFixture.TIMEOUT)
        .until(() -> node.status().body().contains("of foreign, not at epoch " + epoch));

    foreign.execute("truncate visits");
    home.execute("truncate visits");
    awaitRow(home, "visits");
    awaitRow(home, "visits where n = 1 having count(*) > " + SEVERAL);
    assertThat(foreign.query("select count(*) from visits")).isEqualTo("0");
    assertThat(node.status().epoch()).isEqualTo(epoch);
    assertThat(node.leads()).isTrue();
  }

  private static void awaitRow(PostgresServer server, String where) {
    Awaitility.await("a row in " + where)
        .atMost(FencedDatabaseFixture.TIMEOUT)
        .until(() -> !server.query("select 1 from " + where + " limit 1").isEmpty());
  }

  @Test
  void aliasOfTheUrlHostUsesTheSameFence() throws IOException, InterruptedException {
    FencedDatabaseFixture vault = FencedDatabaseFixture.open(stage);
    String byName = vault.postgres().url().replace(vault.postgres().host(), "localhost");
    String fence =
        "[ { id = main, url = \"%s\", user = \"%s\", wait = 200ms } ]"
            .formatted(byName, vault.postgres().user());

    ServiceJvm node = vault.start(stage, "a", vault.unfenced().set("fences", fence));
    vault.awaitTransfersBy("a");

    Awaitility.await("connection count")
        .atMost(FencedDatabaseFixture.TIMEOUT)
        .untilAsserted(
            () ->
                assertThat(node.status().body())
                    .containsOnlyOnce("\"connections\":")
                    .contains("\"connections\":" + TransferService.WRITER_THREADS));
  }
}

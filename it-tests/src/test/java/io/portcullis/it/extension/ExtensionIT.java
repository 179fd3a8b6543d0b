package io.portcullis.it.extension;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.Artifacts;
import io.portcullis.it.support.CommandResult;
import io.portcullis.it.support.Jdks;
import io.portcullis.it.support.JvmLauncher;
import io.portcullis.it.support.LeadershipLog;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestAppCompiler;
import io.portcullis.it.support.TestEnvironment;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Tests the extension example in real services: its backend elects, its listener logs, its action
 * answers refused calls.
 */
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class ExtensionIT {
  private static final Duration LEASE = Duration.ofSeconds(3);
  private static final int EX_CONFIG = 78;
  private static final String APPEND =
      "{ id = append, match = \"com.acme.ledger.Ledger#append(..)\", action = redirect-to-leader }";
  private static final String COUNT =
      "{ id = count, match = \"com.acme.ledger.Ledger#count()\", action = redirect-to-leader }";

  /** A rule that would gate the example's own renewals if it could match them. */
  private static final String GREEDY =
      "{ id = greedy, match = \"com.acme.lease.RecordFile#write(..)\" }";

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  private AgentConf conf(Path jar) throws IOException {
    return AgentConf.extension(jar, stage.folder("lease"), LEASE).rule(APPEND).rule(COUNT);
  }

  private Path jar() throws IOException {
    return TestAppCompiler.extension(stage.folder("extension"));
  }

  @Test
  void extensionBackendFailsOverAfterAKill() throws IOException, InterruptedException {
    Path journal = stage.folder("journal").resolve("journal.log");
    AgentConf conf = conf(jar()).rule(GREEDY);
    ServiceJvm a = stage.start("a", JvmLauncher.demoService("a", journal).conf(conf));
    a.awaitRole("LEADER");
    ServiceJvm b = stage.start("b", JvmLauncher.demoService("b", journal).conf(conf));
    b.awaitRole("STANDBY");

    long epochOfA = a.status().epoch();
    assertThat(a.write().accepted()).isTrue();
    assertThat(a.status().election().path("backend").asText()).isEqualTo("directory");
    assertThat(b.write())
        .satisfies(write -> assertThat(write.refused()).isTrue())
        .satisfies(
            write -> assertThat(write.answer()).contains("append must be called on the leader a-"));
    assertThat(front(a)).contains("count: 1");
    assertThat(front(b)).contains("count: -1");
    a.awaitLog("event ledger/writer: new leader a-" + a.handle().pid());
    b.awaitLog("event ledger/writer: new leader a-" + a.handle().pid());

    a.kill();
    b.awaitRole("LEADER");

    assertThat(b.status().epoch()).isGreaterThan(epochOfA);
    assertThat(b.write().accepted()).isTrue();
    assertThat(front(b)).contains("count: 2");
    b.awaitLog(
        line -> line.contains("event ledger/writer: b-") && line.contains("started leading"));
    LeadershipLog transcript = LeadershipLog.of(a, b);
    assertThat(transcript.leaders()).containsExactly("a", "b");
    assertThat(transcript.violations(LEASE)).isEmpty();
  }

  private static String front(ServiceJvm jvm) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(jvm.serviceUrl() + "/"))
            .timeout(Duration.ofSeconds(10))
            .build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
  }

  @Test
  void unusableExtensionStopsTheJvmBeforeMain() throws IOException, InterruptedException {
    Path broken = Files.writeString(stage.folder("broken").resolve("broken.jar"), "no zip");
    ServiceJvm jvm =
        stage.start(
            "a",
            JvmLauncher.demoService("a", stage.folder("journal").resolve("journal.log"))
                .conf(conf(broken)));

    assertThat(jvm.awaitExit()).isEqualTo(EX_CONFIG);
    assertThat(jvm.output().stdout()).as("main never ran").isEmpty();
    assertThat(String.join("\n", jvm.output().stderr()))
        .containsPattern("agent\\.conf:\\d+: .*extensions.*broken\\.jar is not a jar")
        .contains("unknown backend")
        .contains("no action 'redirect-to-leader'");
  }

  @Test
  void checkCommandListsExtensionServicesAndLease() throws IOException, InterruptedException {
    Path folder = stage.folder("check");
    Path conf = Files.writeString(folder.resolve("agent.conf"), conf(jar()).text());

    CommandResult check =
        CommandResult.run(
            folder,
            Map.of(),
            List.of(
                Jdks.tool(Jdks.running(), "java"),
                "-jar",
                Artifacts.agent().toString(),
                "check",
                conf.toString(),
                "--classpath",
                Artifacts.demoService().toString()));

    assertThat(check.exitCode()).as("%s", check).isZero();
    assertThat(check.stdout())
        .contains("directory-lease.jar: backend directory, action redirect-to-leader, 1 listener")
        .containsPattern("election writer: file .*/ledger\\.writer\\.lease, lease 3000 ms")
        .contains("    com.acme.ledger.Ledger#count()");
  }
}

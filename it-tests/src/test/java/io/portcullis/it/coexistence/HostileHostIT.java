package io.portcullis.it.coexistence;

import static org.assertj.core.api.Assertions.assertThat;

import com.acme.app.BlockedStderrService;
import com.acme.app.CallLoopService;
import com.acme.app.EarlyLoader;
import com.acme.app.SecurityManagerService;
import com.acme.app.UnopenableJarService;
import com.acme.app.Workshop;
import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.Artifacts;
import io.portcullis.it.support.JarWriter;
import io.portcullis.it.support.JvmLauncher;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import io.portcullis.servers.LoopbackPort;
import io.portcullis.servers.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.condition.EnabledOnJre;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests the agent in unusual JVMs: no gated call passes, and an ungateable one ends the JVM. */
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class HostileHostIT {
  private static final Duration LEASE = Duration.ofSeconds(2);

  /** An address at which no server listens. */
  private static final String NO_REDIS = "redis://127.0.0.1:1";

  private static final String WORK = "{ id = work, match = \"com.acme.app.Workshop#work()\" }";

  /** Unweavable: a method that does not declare a checked exception cannot throw it. */
  private static final String UNTHROWABLE =
      "{ id = broken, match = \"com.acme.app.Workshop#other()\", exception = \"java.io.IOException\" }";

  /** Time limit for a JVM that must end without help. */
  private static final Duration EXIT_TIMEOUT = Duration.ofSeconds(10);

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  @Test
  void classLoadedByAnEarlierAgentIsGatedFromTheStart() throws IOException {
    AgentConf conf =
        leaderless().rule("{ id = work, match = \"com.acme.app.CallLoopService#work()\" }");
    String application = CallLoopService.class.getName();

    ServiceJvm jvm =
        stage.start(
            "a",
            JvmLauncher.application(application)
                .agentBefore(agentJar(EarlyLoader.class), application)
                .conf(conf));
    jvm.awaitLog("calls done: ");

    assertThat(jvm.output().stdout())
        .containsExactly(
            "loaded before main: " + application, "refused at all: true", "calls done: 0");
  }

  @Test
  void ungateableMethodStopsTheJvmWithBlockedStderr() throws IOException, InterruptedException {
    AgentConf conf = leaderless().rule(UNTHROWABLE);

    ServiceJvm jvm =
        stage.start(
            "a",
            JvmLauncher.application(BlockedStderrService.class.getName())
                .conf(conf)
                .stderrUnread());
    jvm.awaitLog("stderr is stuck");

    assertThat(jvm.awaitExit(EXIT_TIMEOUT)).isEqualTo(70);
    assertThat(jvm.output().stdout()).doesNotContain("other: done");
  }

  @Test
  void invalidConfigStopsTheJvmWithBlockedStderr() throws IOException, InterruptedException {
    AgentConf conf = leaderless().rule(WORK).set("http.port", "70000");

    ServiceJvm jvm =
        stage.start(
            "a",
            JvmLauncher.application(Workshop.class.getName())
                .agentBefore(agentJar(BlockedStderrService.class), "")
                .conf(conf)
                .stderrUnread());
    jvm.awaitLog("stderr is stuck");

    assertThat(jvm.awaitExit(EXIT_TIMEOUT)).isEqualTo(78);
    assertThat(jvm.output().stdout()).containsExactly("stderr is stuck");
  }

  /** Redis becomes reachable only after stderr is blocked, so the node leads afterwards. */
  @Test
  void nodeWithBlockedStderrLeadsAndEndsOnSigterm() throws IOException, InterruptedException {
    RedisServer redis = stage.redis();
    redis.kill();
    int port = LoopbackPort.free();
    AgentConf conf =
        AgentConf.redis(redis.uri(), LEASE)
            .rule(WORK)
            .set("http.port", Integer.toString(port))
            .set("elections.writer.shutdown-linger", "30s");

    ServiceJvm jvm =
        stage
            .start(
                "a",
                JvmLauncher.application(BlockedStderrService.class.getName())
                    .conf(conf)
                    .stderrUnread())
            .agentPort(port);
    jvm.awaitLog("stderr is stuck");
    redis.restart();
    Awaitility.await("the node leads")
        .atMost(Duration.ofMinutes(2))
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(() -> jvm.get("/leader").status() == 200);
    jvm.awaitLog("work: done");
    jvm.terminate();

    assertThat(jvm.awaitExit(EXIT_TIMEOUT)).isEqualTo(143);
  }

  @Test
  void applicationWithUnopenableJarUrlsIsGated() throws IOException {
    AgentConf conf = leaderless().rule(WORK);

    ServiceJvm jvm =
        stage.start("a", JvmLauncher.application(UnopenableJarService.class.getName()).conf(conf));
    jvm.awaitLog("work: refused");
    jvm.awaitLog("other: done");

    assertThat(jvm.isAlive()).isTrue();
    assertThat(jvm.output().stdout()).doesNotContain("work: done");
  }

  @Test
  @EnabledOnJre(JRE.JAVA_17)
  void ungateableMethodHaltsTheJvm() throws IOException, InterruptedException {
    AgentConf conf = leaderless().rule(UNTHROWABLE);
    Path policy =
        Files.writeString(
            stage.folder("policy").resolve("application.policy"),
            "grant codeBase \"%s\" { permission java.security.AllPermission; };"
                .formatted(Artifacts.testClasses().toUri()));

    ServiceJvm jvm =
        stage.start(
            "a",
            JvmLauncher.application(SecurityManagerService.class.getName())
                .conf(conf)
                .property("java.security.manager", "allow")
                .property("java.security.policy", "=" + policy));
    jvm.awaitLog("guarded");

    assertThat(jvm.awaitExit(EXIT_TIMEOUT)).isEqualTo(70);
    assertThat(jvm.output().stdout()).doesNotContain("other: done");
  }

  /** A node that cannot lead, and detects that soon. */
  private static AgentConf leaderless() {
    return AgentConf.redis(NO_REDIS, LEASE).set("elections.writer.settle", "100ms");
  }

  /** An agent jar whose classes are on the application's class path. */
  private Path agentJar(Class<?> premainClass) throws IOException {
    return JarWriter.write(
        stage.folder("other-agent").resolve("other-agent.jar"),
        Map.of("Premain-Class", premainClass.getName()),
        Map.of());
  }
}

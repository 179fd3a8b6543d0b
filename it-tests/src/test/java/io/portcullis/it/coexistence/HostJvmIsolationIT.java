package io.portcullis.it.coexistence;

import static org.assertj.core.api.Assertions.assertThat;

import com.acme.app.IsolationProbeService;
import com.acme.app.OwnLogManager;
import com.acme.app.OwnLoggerFinder;
import com.acme.app.OwnLoggingService;
import com.acme.app.OwnServerBuilder;
import com.acme.app.Workshop;
import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.AgentLogLines;
import io.portcullis.it.support.Jdks;
import io.portcullis.it.support.JvmLauncher;
import io.portcullis.it.support.PromotionScenario;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import io.portcullis.servers.PostgresServer;
import io.portcullis.servers.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that the agent does not disturb the JVM: it initializes no shared service first and prints
 * nothing but its log.
 */
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class HostJvmIsolationIT {
  private static final Duration LEASE = Duration.ofSeconds(2);

  @RegisterExtension static final TestEnvironment SERVERS = TestEnvironment.shared();

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  private static RedisServer redis;
  private static PostgresServer postgres;

  @BeforeAll
  static void startStores() {
    redis = SERVERS.redis();
    postgres = SERVERS.postgres();
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void agentOnRedisWritesOnlyItsOwnLogLinesToStderr(Path jdk)
      throws IOException, InterruptedException {
    assertQuiet(AgentConf.ledger(redis.uri(), LEASE).set("service", "quiet"), jdk);
  }

  @ParameterizedTest
  @MethodSource("jdks")
  void agentOnPostgresWritesOnlyItsOwnLogLinesToStderr(Path jdk)
      throws IOException, InterruptedException {
    assertQuiet(AgentConf.ledger(postgres, LEASE).set("service", "quiet"), jdk);
  }

  private void assertQuiet(AgentConf conf, Path jdk) throws IOException, InterruptedException {
    Path journal = stage.folder("journal").resolve("journal.log");
    ServiceJvm jvm = stage.start("a", JvmLauncher.demoService("a", journal).conf(conf).jdk(jdk));
    jvm.awaitRole("LEADER");
    assertThat(jvm.write().accepted()).isTrue();
    jvm.get("/metrics");

    jvm.terminate();
    assertThat(jvm.awaitExit()).isEqualTo(143);

    assertThat(jvm.output().stderr()).isNotEmpty();
    assertThat(AgentLogLines.otherStderrLines(jvm)).isEmpty();
    assertThat(jvm.output().stdout()).allSatisfy(line -> assertThat(line).startsWith("ledger "));
  }

  /** The verifier also checks the gate and all other classes of the boot class path. */
  @Test
  void wovenClassesPassFullBytecodeVerification() throws IOException {
    PromotionScenario promotion = PromotionScenario.by(stage, redis);
    List<ServiceJvm> jvms = new ArrayList<>();
    for (Path jdk : Jdks.all().toList()) {
      String name = "verified" + jvms.size();
      jvms.add(
          stage.start(
              name,
              JvmLauncher.application(Workshop.class.getName())
                  .option("-Xverify:all")
                  .conf(promotion.conf(name, "com.acme.app.Workshop#work()"))
                  .jdk(jdk)));
    }

    promotion.assertGateFollowsLeadership(jvms);

    assertThat(jvms).allSatisfy(jvm -> assertThat(AgentLogLines.otherStderrLines(jvm)).isEmpty());
  }

  /**
   * The service uses logging and JMX only after the agent leads, so the agent could have used them
   * first.
   */
  @ParameterizedTest
  @MethodSource("jdks")
  void serviceLogManagerAndMBeanServerAreUsed(Path jdk) throws IOException {
    assertCustomLoggingAndJmxAreUsed(
        AgentConf.redis(redis.uri(), LEASE).set("service", "particular"), jdk);
  }

  /**
   * The Postgres driver logs with {@code java.util.logging}, which the agent must not initialize.
   */
  @ParameterizedTest
  @MethodSource("jdks")
  void serviceLogManagerIsUsedWhileTheAgentUsesPostgres(Path jdk) throws IOException {
    assertCustomLoggingAndJmxAreUsed(
        AgentConf.postgres(postgres.url(), postgres.user(), LEASE).set("service", "particular"),
        jdk);
  }

  private void assertCustomLoggingAndJmxAreUsed(AgentConf conf, Path jdk) throws IOException {
    ServiceJvm jvm =
        stage.start(
            "a",
            JvmLauncher.application(OwnLoggingService.class.getName())
                .conf(conf.rule("{ id = work, match = \"com.acme.app.OwnLoggingService#work()\" }"))
                .jdk(jdk)
                .property("java.util.logging.manager", OwnLogManager.class.getName())
                .property("javax.management.builder.initial", OwnServerBuilder.class.getName()));

    jvm.awaitLog("log manager: " + OwnLogManager.class.getName());
    jvm.awaitLog("MBean servers built: ");
    jvm.awaitLog("beans of the agent: 3");

    assertThat(jvm.output().stdout())
        .contains("made by the service: true")
        .doesNotContain("MBean servers built: 0");
    assertThat(AgentLogLines.otherStderrLines(jvm)).isEmpty();
  }

  /** The logger finder is found by a service file that no other test application may see. */
  @ParameterizedTest
  @MethodSource("jdks")
  void agentUsesNoLoaderPoolOrLoggerOfTheService(Path jdk)
      throws IOException, InterruptedException {
    Path own = stage.folder("own");
    Path services = Files.createDirectories(own.resolve("META-INF/services"));
    Files.writeString(
        services.resolve("java.lang.System$LoggerFinder"), OwnLoggerFinder.class.getName());

    ServiceJvm jvm =
        stage.start(
            "a",
            JvmLauncher.application(IsolationProbeService.class.getName(), own)
                .conf(
                    AgentConf.redis(redis.uri(), LEASE)
                        .set("service", "watchful")
                        .rule(
                            "{ id = work, match = \"com.acme.app.IsolationProbeService#work()\" }"))
                .jdk(jdk));
    jvm.awaitLog("logger of the service: com.acme");
    jvm.get("/metrics");

    assertThat(jvm.output().stdout())
        .containsExactly(
            "context loader is still its own: true",
            "asked of it: []",
            "threads with its loader: [main]",
            "common pool: {}",
            "finders of loggers made: []",
            "logger of the service: com.acme");
    assertThat(AgentLogLines.otherStderrLines(jvm)).isEmpty();
  }

  static Stream<Path> jdks() {
    return Jdks.all();
  }
}

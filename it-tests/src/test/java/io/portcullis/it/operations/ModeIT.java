package io.portcullis.it.operations;

import static org.assertj.core.api.Assertions.assertThat;

import com.acme.app.EagerService;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.JvmLauncher;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import io.portcullis.servers.RedisServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class ModeIT {
  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final String NO_REDIS = "redis://127.0.0.1:1";

  @RegisterExtension static final TestEnvironment SERVERS = TestEnvironment.shared();

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  private static RedisServer redis;

  @BeforeAll
  static void startRedis() {
    redis = SERVERS.redis();
  }

  @Test
  void modeOffAsLeaderPassesAllCallsWithoutAStore() throws IOException, InterruptedException {
    ServiceJvm jvm =
        start(AgentConf.ledger(NO_REDIS, LEASE).set("mode", "off").set("when-off", "leader"));

    assertThat(jvm.write().accepted()).isTrue();
    assertThat(jvm.role()).isEqualTo("OFF");
    assertThat(jvm.status().json().path("mode").asText()).isEqualTo("off");
    assertThat(jvm.get("/healthz").status()).isEqualTo(200);
  }

  @Test
  void modeOffAsStandbyRefusesAllCalls() throws IOException, InterruptedException {
    ServiceJvm jvm =
        start(AgentConf.ledger(redis.uri(), LEASE).set("mode", "off").set("when-off", "standby"));

    assertThat(jvm.write().refused()).isTrue();
    assertThat(jvm.role()).isEqualTo("OFF");
    assertThat(jvm.get("/leader").status()).isEqualTo(503);
  }

  @Test
  void systemPropertyOverridesEnvironmentOverridesFile() throws IOException, InterruptedException {
    AgentConf conf = AgentConf.ledger(NO_REDIS, LEASE).set("service", "overridden");

    ServiceJvm jvm =
        stage.start(
            "a",
            JvmLauncher.demoService("a", stage.folder("journal").resolve("journal.log"))
                .conf(conf)
                .env("PORTCULLIS__service", "by-environment")
                .env("PORTCULLIS__elections__writer__redis__uri", redis.uri())
                .env("PORTCULLIS__elections__writer__timing__reacquire_max", "1s")
                .env("PORTCULLIS_SERVICE_HOST", "10.0.0.1")
                .property("portcullis.service", "by-property"));
    jvm.awaitRole("LEADER");

    assertThat(jvm.status().json().path("service").asText()).isEqualTo("by-property");
    assertThat(jvm.status().json().path("node").asText()).startsWith("a-");
  }

  @Test
  void singleRuleCanBeSetToObserve() throws IOException, InterruptedException {
    ServiceJvm jvm =
        stage.start(
            "a",
            JvmLauncher.demoService("a", stage.folder("journal").resolve("journal.log"))
                .conf(AgentConf.ledger(NO_REDIS, LEASE).set("elections.writer.settle", "100ms"))
                .property("portcullis.rule.append.mode", "observe"));

    assertThat(jvm.write().accepted()).isTrue();
    assertThat(jvm.leads()).isFalse();
    JsonNode rule = jvm.status().json().path("rules").get(0);
    assertThat(rule.path("mode").asText()).isEqualTo("observe");
    assertThat(rule.path("observed").asLong()).isEqualTo(1);
    assertThat(rule.path("blocked").asLong()).isZero();
  }

  @Test
  void earlyGatedCallWaitsForTheStoreResponse() throws IOException {
    ServiceJvm settledBefore = start(eager("warm").rule(AgentConf.APPEND));
    settledBefore.awaitRole("LEADER");

    ServiceJvm jvm =
        stage.start(
            "eager",
            JvmLauncher.application(EagerService.class.getName())
                .conf(eager("settling").set("elections.writer.settle", "10s")));

    jvm.awaitLog("first call: done");
  }

  @Test
  void withoutStoreEarlyCallIsRefusedAfterSettle() throws IOException {
    ServiceJvm jvm =
        stage.start(
            "eager",
            JvmLauncher.application(EagerService.class.getName())
                .conf(
                    AgentConf.redis(NO_REDIS, LEASE)
                        .rule("{ id = work, match = \"com.acme.app.EagerService#work()\" }")
                        .set("elections.writer.settle", "1500ms")));

    String line = jvm.awaitLog("first call: refused").text();

    assertThat(Long.parseLong(line.replaceAll("^.*after (\\d+) ms.*$", "$1")))
        .isGreaterThanOrEqualTo(1_000L);
  }

  @ParameterizedTest
  @EnumSource(JvmLauncher.ConfigSource.class)
  void configFileIsFoundByAgentArgumentPropertyOrEnvironment(JvmLauncher.ConfigSource confBy)
      throws IOException, InterruptedException {
    AgentConf conf =
        AgentConf.ledger(NO_REDIS, LEASE)
            .set("service", "found")
            .set("mode", "off")
            .set("when-off", "leader");

    ServiceJvm jvm =
        stage.start(
            "a",
            JvmLauncher.demoService("a", stage.folder("journal").resolve("journal.log"))
                .conf(conf)
                .confBy(confBy));

    assertThat(jvm.status().json().path("service").asText()).isEqualTo("found");
  }

  @Test
  void jsonLogHasOneObjectPerLine() throws IOException {
    ServiceJvm jvm =
        start(
            AgentConf.ledger(redis.uri(), LEASE).set("service", "json").set("log.format", "json"));
    jvm.awaitLog("became leader");

    ObjectMapper mapper = new ObjectMapper();
    assertThat(jvm.output().stderr())
        .isNotEmpty()
        .allSatisfy(line -> assertThat(mapper.readTree(line).isObject()).isTrue());
  }

  private static AgentConf eager(String service) {
    return AgentConf.redis(redis.uri(), LEASE)
        .rule("{ id = work, match = \"com.acme.app.EagerService#work()\" }")
        .set("service", service);
  }

  private ServiceJvm start(AgentConf conf) throws IOException {
    Path journal = stage.folder("journal").resolve("journal.log");
    return stage.start("a", JvmLauncher.demoService("a", journal).conf(conf));
  }
}

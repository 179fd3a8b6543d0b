package io.portcullis.it.startup;

import static org.assertj.core.api.Assertions.assertThat;

import com.acme.app.Workshop;
import com.fasterxml.jackson.databind.JsonNode;
import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.JvmLauncher;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import io.portcullis.servers.RedisServer;
import java.io.IOException;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests that rules which gate nothing, or cannot be woven, are reported. */
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class RuleStateIT {
  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final String WORK = "{ id = work, match = \"com.acme.app.Workshop#work()\" }";

  /** Unweavable: a method that does not declare a checked exception cannot throw it. */
  private static final String UNTHROWABLE =
      "{ id = broken, match = \"com.acme.app.Workshop#other()\", exception = \"java.io.IOException\" }";

  @RegisterExtension static final TestEnvironment SERVERS = TestEnvironment.shared();

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  private static RedisServer redis;

  @BeforeAll
  static void startRedis() {
    redis = SERVERS.redis();
  }

  @Test
  void rulesThatGateNothingAppearInStatusAndLog() throws IOException, InterruptedException {
    AgentConf conf =
        conf("idle")
            .rule(WORK)
            .rule("{ id = typo, match = \"com.acme.app.Workshop#wrok()\" }")
            .rule("{ id = unseen, match = \"com.acme.app.NeverLoaded#work()\" }");

    ServiceJvm jvm = stage.start("a", JvmLauncher.application(Workshop.class.getName()).conf(conf));
    jvm.awaitRole("LEADER");

    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .until(() -> rule(jvm, "typo").path("state").asText().equals("NO_METHOD"));
    assertThat(rule(jvm, "work").path("state").asText()).isEqualTo("ARMED");
    assertThat(rule(jvm, "work").path("wovenMethods").asInt()).isEqualTo(1);
    assertThat(rule(jvm, "typo").path("hint").asText()).contains("work");
    assertThat(rule(jvm, "unseen").path("state").asText()).isEqualTo("PENDING");
    jvm.awaitLog(line -> line.contains("portcullis") && line.contains("typo"));
  }

  @Test
  void ungateableMethodStopsTheJvm() throws IOException, InterruptedException {
    AgentConf conf = conf("halting").rule(WORK).rule(UNTHROWABLE);

    ServiceJvm jvm = stage.start("a", JvmLauncher.application(Workshop.class.getName()).conf(conf));

    assertThat(jvm.awaitExit()).isEqualTo(70);
    assertThat(String.join("\n", jvm.output().stderr())).contains("broken", "java.io.IOException");
    assertThat(jvm.output().stdout()).doesNotContain("other: done");
  }

  @Test
  void onWeaveErrorRefusePreventsLeading() throws IOException, InterruptedException {
    AgentConf conf = conf("refusing").rule(WORK).rule(UNTHROWABLE).set("on-weave-error", "refuse");

    ServiceJvm jvm = stage.start("a", JvmLauncher.application(Workshop.class.getName()).conf(conf));
    jvm.awaitLog("other: refused");
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .until(() -> jvm.get("/healthz").status() == 503);

    assertThat(rule(jvm, "broken").path("state").asText()).isEqualTo("FAILED");
    Awaitility.await()
        .during(LEASE.multipliedBy(2))
        .atMost(Duration.ofMinutes(2))
        .until(() -> jvm.isAlive() && !jvm.leads());
    assertThat(jvm.output().stdout()).doesNotContain("other: done", "work: done");
    assertThat(jvm.output().stderr()).noneMatch(line -> line.contains("became leader"));
  }

  @Test
  void unweavableMethodInObserveModeIsAllowed() throws IOException, InterruptedException {
    AgentConf conf = conf("observing").rule(WORK).rule(UNTHROWABLE).set("mode", "observe");

    ServiceJvm jvm = stage.start("a", JvmLauncher.application(Workshop.class.getName()).conf(conf));
    jvm.awaitLog("other: done");
    jvm.awaitRole("LEADER");

    assertThat(jvm.isAlive()).isTrue();
  }

  private static AgentConf conf(String service) {
    return AgentConf.redis(redis.uri(), LEASE).set("service", service);
  }

  private static JsonNode rule(ServiceJvm jvm, String id) throws IOException, InterruptedException {
    for (JsonNode rule : jvm.status().json().path("rules")) {
      if (rule.path("id").asText().equals(id)) {
        return rule;
      }
    }
    throw new AssertionError("no rule " + id);
  }
}

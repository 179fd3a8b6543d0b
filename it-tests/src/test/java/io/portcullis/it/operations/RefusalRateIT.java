package io.portcullis.it.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.acme.app.RetryingService;
import com.fasterxml.jackson.databind.JsonNode;
import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.JvmLauncher;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A standby whose application retries refused calls without a pause. */
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class RefusalRateIT {
  private static final Duration LONG = Duration.ofMinutes(2);

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  @Test
  void loopIsSlowedUnlessItsRuleWaitsOrObserves() throws IOException, InterruptedException {
    ServiceJvm standby = start(standby(), Integer.MAX_VALUE);
    await().atMost(LONG).until(() -> rule(standby, "work").path("slowed").asLong() > 100);

    long startNanos = System.nanoTime();
    long blocked = rule(standby, "work").path("blocked").asLong();
    await().atMost(LONG).until(() -> rule(standby, "work").path("blocked").asLong() > blocked + 50);
    long more = rule(standby, "work").path("blocked").asLong() - blocked;
    double seconds = (System.nanoTime() - startNanos) / 1e9;

    assertThat(more)
        .as("refusals in %s s", seconds)
        .isLessThanOrEqualTo((long) (seconds * 100) + 101);
    JsonNode observed = rule(standby, "observed");
    JsonNode waiting = rule(standby, "waiting");
    assertThat(observed.path("observed").asLong()).isEqualTo(RetryingService.RETRIES);
    assertThat(waiting.path("blocked").asLong()).isEqualTo(RetryingService.RETRIES);
    assertThat(observed.path("slowed").asLong()).isZero();
    assertThat(waiting.path("slowed").asLong()).isZero();
  }

  @Test
  void refusedAndObservedCallersAreLoggedOnceAndInTheStatus()
      throws IOException, InterruptedException {
    ServiceJvm standby = start(standby(), 1_000);

    for (String id : new String[] {"observed", "waiting", "work"}) {
      await().atMost(LONG).until(() -> rule(standby, id).path("refusedCallers").size() == 1);
      JsonNode frames = rule(standby, id).path("refusedCallers").get(0).path("frames");
      assertThat(frames).hasSize(2);
      assertThat(frames.get(0).asText()).startsWith(RetryingService.class.getName() + "#" + id);
      assertThat(frames.get(1).asText()).startsWith(RetryingService.class.getName() + "#main:");
      String line = standby.awaitLog("rule=" + id + " new ").text();
      assertThat(line).contains(id.equals("observed") ? "observed caller" : "refused caller");
    }
    assertThat(standby.output().stderr()).filteredOn(line -> line.contains(" new ")).hasSize(3);
  }

  @Test
  void limitOfZeroSlowsNoThread() throws IOException, InterruptedException {
    ServiceJvm standby = start(standby().set("refusals.slow-down-after", "0"), 10_000);
    await().atMost(LONG).until(() -> rule(standby, "work").path("blocked").asLong() == 10_000);

    assertThat(rule(standby, "work").path("slowed").asLong()).isZero();
  }

  /** No store is needed: all gates are shut. */
  private static AgentConf standby() {
    return AgentConf.redis("redis://127.0.0.1:1", Duration.ofSeconds(2))
        .set("mode", "off")
        .set("when-off", "standby")
        .rule(rule("observed", "mode = observe"))
        .rule(rule("waiting", "action = wait, timeout = 10m"))
        .rule(rule("work", "action = throw"));
  }

  private static String rule(String method, String options) {
    return "{ id = %1$s, match = \"%2$s#%1$s()\", %3$s }"
        .formatted(method, RetryingService.class.getName(), options);
  }

  private ServiceJvm start(AgentConf conf, int retries) throws IOException {
    return stage.start(
        "retrying",
        JvmLauncher.application(RetryingService.class.getName())
            .conf(conf)
            .argument(Integer.toString(retries)));
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

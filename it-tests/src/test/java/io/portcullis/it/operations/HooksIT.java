package io.portcullis.it.operations;

import static io.portcullis.election.contract.TestTimeouts.MAX_WAIT;
import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.JmxConnection;
import io.portcullis.it.support.JvmLauncher;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import javax.management.JMException;
import javax.management.ObjectName;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests hooks and a health check of an application in a real JVM. */
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class HooksIT {
  /** Much longer than a busy machine delays a renewal. */
  private static final Duration LEASE = Duration.ofSeconds(8);

  private static final String STARTED = "hook: started, work is done";
  private static final String STOPPED = "hook: stopped, work is refused";

  private static final String APPLICATION = "com.acme.app.HookedService";

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  private ServiceJvm start(String hooks) throws IOException {
    AgentConf conf =
        AgentConf.redis(stage.redis().uri(), LEASE)
            .rule("{ id = work, match = \"" + APPLICATION + "#work()\" }")
            .set("node.id", "a")
            .set(
                "elections.writer.eligible-when",
                "{ mbean = \"com.acme:type=Health\", attribute = Status, equals = UP,"
                    + " every = 100ms, failures = 3, successes = 5 }")
            .set("elections.writer.hooks", hooks.replace("$", APPLICATION + "#"));
    return stage.start("a", JvmLauncher.application(APPLICATION).conf(conf));
  }

  private static List<String> hookLines(ServiceJvm jvm) {
    return jvm.output().stdout().stream()
        .filter(line -> line.startsWith("hook: "))
        .map(line -> line.replaceFirst(" \\d+$", ""))
        .toList();
  }

  private static void awaitHookLines(ServiceJvm jvm, int lines) {
    Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> hookLines(jvm).size() >= lines);
  }

  private static ObjectName health() throws JMException {
    return new ObjectName("com.acme:type=Health");
  }

  @Test
  void mbeanDecidesEligibilityAndHooksRunInOrder() throws Exception {
    ServiceJvm jvm =
        start(
            "{ started = [\"$started(long)\"], stopped = [\"$stopped(long)\"],"
                + " new-leader = [\"$leader(java.lang.String,long)\"] }");
    jvm.awaitLog("not eligible why=\"not eligible: mbean com.acme:type=Health Status: there is no");
    jvm.awaitRole("LEADER");
    long epoch = jvm.status().epoch();
    awaitHookLines(jvm, 2);

    try (JmxConnection jmx = JmxConnection.to(jvm)) {
      jmx.invoke(health(), "fail");
      jvm.awaitRole("INELIGIBLE");
      assertThat(jvm.status().election().path("why").asText())
          .isEqualTo("not eligible: mbean com.acme:type=Health Status: is DOWN, not UP");
      assertThat((String) jmx.get(JmxConnection.election(), "Why")).contains("is DOWN, not UP");
      assertThat(jvm.get("/metrics").body())
          .contains("portcullis_eligible{election=\"writer\"} 0.0")
          .contains("portcullis_state{election=\"writer\",state=\"INELIGIBLE\"} 1.0");
      assertThat(jvm.get("/healthz").status()).isEqualTo(200);
      awaitHookLines(jvm, 3);

      jmx.invoke(health(), "recover");
      jvm.awaitRole("LEADER");
    }
    awaitHookLines(jvm, 5);

    assertThat(jvm.status().epoch()).isGreaterThan(epoch);
    assertThat(jvm.output().stdout()).contains(STARTED + " " + epoch, STOPPED + " " + epoch);
    jvm.awaitLog("lost leadership from=LEADER to=INELIGIBLE why=\"not eligible: mbean");
    assertThat(String.join("|", hookLines(jvm)))
        .matches("(" + STARTED + "\\|hook: leader a\\|" + STOPPED + "\\|)+.*leader a");

    jvm.terminate();
    jvm.awaitExit();
    assertThat(hookLines(jvm)).hasSizeGreaterThanOrEqualTo(6).endsWith(STOPPED);
  }

  @Test
  void brokenHooksDelayNeitherTheGateNorOtherHooks() throws Exception {
    ServiceJvm jvm =
        start(
            "{ started = [\"com.acme.Nowhere#go()\", \"$nothing()\", \"$fails()\", \"$hangs()\","
                + " \"$started()\"], stopped = [\"$hangs()\", \"$stopped()\"], timeout = 1s }");
    jvm.awaitRole("LEADER");
    awaitHookLines(jvm, 1);

    jvm.awaitLog("hook=started com.acme.Nowhere#go() can't be called: the class com.acme.Nowhere");
    jvm.awaitLog("#nothing() can't be called: the class " + APPLICATION + " has no such method");
    jvm.awaitLog("#fails() failed: java.lang.IllegalStateException: the hook has failed");
    jvm.awaitLog(
        "#hangs() has not ended within 1000 ms; it was interrupted, ignored the interrupt");

    try (JmxConnection jmx = JmxConnection.to(jvm)) {
      Awaitility.await().atMost(MAX_WAIT).until(() -> jmx.has(JmxConnection.election()));
      long told = System.nanoTime();
      jmx.drain(100);
      jvm.awaitRole("DRAINED");
      assertThat(Duration.ofNanos(System.nanoTime() - told)).isLessThan(Duration.ofSeconds(100));
    }
    awaitHookLines(jvm, 2);

    assertThat(hookLines(jvm)).containsExactly(STARTED, STOPPED);
    assertThat(jvm.get("/metrics").body())
        .contains(hookCalls("started", "missing", 2))
        .contains(hookCalls("started", "failed", 1))
        .contains(hookCalls("started", "timed_out", 1))
        .contains(hookCalls("started", "done", 1));
  }

  private static String hookCalls(String hook, String result, int count) {
    return "portcullis_hook_calls_total{election=\"writer\",hook=\"%s\",result=\"%s\"} %d.0"
        .formatted(hook, result, count);
  }
}

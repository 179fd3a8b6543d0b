package io.portcullis.it.operations;

import static org.assertj.core.api.Assertions.assertThat;

import com.acme.app.Workshop;
import com.fasterxml.jackson.databind.JsonNode;
import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.JmxConnection;
import io.portcullis.it.support.JvmLauncher;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import javax.management.JMException;
import javax.management.ObjectName;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests reloading of rules while the JVM runs: all or none apply. */
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class ConfigReloaderIT {
  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final String WORK = "{ id = work, match = \"com.acme.app.Workshop#work()\" }";
  private static final String OTHER = "{ id = other, match = \"com.acme.app.Workshop#other()\" }";

  /** A required rule that is never armed, so that the node never leads and its gate stays shut. */
  private static final String NEVER = "{ id = never, match = \"com.acme.app.Never#comes()\" }";

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  private Path rules;
  private ServiceJvm jvm;

  @BeforeEach
  void startWithOneRule() throws IOException {
    rules = stage.folder("rules").resolve("rules.conf");
    write(NEVER, WORK);
    String conf =
        AgentConf.redis(stage.redis().uri(), LEASE)
                .set("elections.writer.campaign.required-rules", "[ never ]")
                .text()
            + "include \""
            + rules
            + "\"\n";
    jvm = stage.start("a", JvmLauncher.application(Workshop.class.getName()).conf(conf));
    jvm.awaitLog("work: refused");
    jvm.awaitLog("other: done");
  }

  /** Replaces the file atomically. */
  private void write(String... list) throws IOException {
    put("portcullis.rules = [\n  " + String.join("\n  ", list) + "\n]\n");
  }

  private void put(String text) throws IOException {
    Path fresh = Files.writeString(rules.resolveSibling("fresh"), text);
    Files.move(fresh, rules, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private List<String> ids() throws IOException, InterruptedException {
    return jvm.status().json().path("rules").findValuesAsText("id");
  }

  /** MBeans are registered after the application has started, those of rules last. */
  private JmxConnection beans() throws IOException {
    JmxConnection link = JmxConnection.to(jvm);
    Awaitility.await().atMost(TIMEOUT).until(() -> link.has(JmxConnection.rule("work")));
    return link;
  }

  private void awaitLast(String task, String outcome) {
    Awaitility.await(task + " is " + outcome)
        .atMost(TIMEOUT)
        .until(
            () ->
                jvm.output().stdout().stream()
                    .filter(line -> line.startsWith(task + ": "))
                    .reduce((first, second) -> second)
                    .filter(line -> line.startsWith(task + ": " + outcome))
                    .isPresent());
  }

  @Test
  void changedRulesReloadWithoutUngatingKeptMethods() throws IOException, InterruptedException {
    write(NEVER, WORK, OTHER);
    awaitLast("other", "refused");
    assertThat(ids()).containsExactly("never", "work", "other");

    assertThat(jvm.output().stdout()).doesNotContain("work: done");
    assertThat(jvm.find(line -> line.contains("rules reloaded") && line.contains("added [other]")))
        .isPresent();
    assertThat(
            jvm.find(
                line ->
                    line.contains("rules.conf changed, trying 3 rules on ")
                        && line.contains(" loaded classes")))
        .isPresent();
    assertThat(pendingReload().isNull()).isTrue();
  }

  private JsonNode pendingReload() throws IOException, InterruptedException {
    return jvm.status().json().path("pendingReload");
  }

  private double pendingMetric() throws IOException, InterruptedException {
    return jvm.get("/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith("portcullis_reload_pending "))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  private void awaitPending(boolean pending) {
    Awaitility.await("a change is pending: " + pending)
        .atMost(TIMEOUT)
        .until(() -> pendingReload().isNull() != pending);
  }

  /** Waits for calls that start from now on. */
  private void awaitNextCalls(String task, String outcome) {
    int before = jvm.output().stdout().size();
    Awaitility.await("the next calls of " + task)
        .atMost(TIMEOUT)
        .until(
            () ->
                jvm.output().stdout().stream()
                        .skip(before)
                        .filter(line -> line.startsWith(task + ": "))
                        .count()
                    >= 2);
    assertThat(jvm.output().stdout().stream().skip(before))
        .filteredOn(line -> line.startsWith(task + ": "))
        .allMatch(line -> line.startsWith(task + ": " + outcome));
  }

  private static Object reload(JmxConnection link) throws JMException, IOException {
    return link.invoke(new ObjectName("io.portcullis:type=Agent"), "reload");
  }

  @Test
  void changeThatRemovesARuleWaitsForTheReloadCommand()
      throws IOException, InterruptedException, JMException {
    write(NEVER, OTHER);
    jvm.awaitLog(
        line -> line.contains("reload needs an admin command") && line.contains("work is missing"));

    awaitNextCalls("work", "refused");
    awaitNextCalls("other", "done");
    assertThat(ids()).containsExactly("never", "work");

    try (JmxConnection link = beans()) {
      assertThat(reload(link)).asString().contains("added [other]", "removed [work]");
    }
    awaitLast("work", "done");
    awaitLast("other", "refused");
    awaitPending(false);
    assertThat(pendingMetric()).isZero();
  }

  @Test
  void refusedReloadIsShownUntilTheFileIsCorrected() throws IOException, InterruptedException {
    put("portcullis.rules = [ " + WORK + " ]\nportcullis.mode = observe\n");
    awaitPending(true);
    assertThat(pendingReload().path("rules")).isEmpty();
    awaitNextCalls("work", "refused");

    write(NEVER, WORK);
    awaitPending(false);
  }

  @Test
  void emptiedRulesFileOpensNoGateOfAStandby()
      throws IOException, InterruptedException, JMException {
    jvm.kill();
    write(WORK, OTHER);
    String conf =
        AgentConf.redis(stage.redis().uri(), LEASE).text() + "include \"" + rules + "\"\n";
    stage
        .start("leader", JvmLauncher.application(Workshop.class.getName()).conf(conf))
        .awaitRole("LEADER");
    jvm = stage.start("standby", JvmLauncher.application(Workshop.class.getName()).conf(conf));
    jvm.awaitRole("STANDBY");
    awaitLast("work", "refused");

    Files.writeString(rules, "");
    awaitPending(true);

    awaitNextCalls("work", "refused");
    assertThat(ids()).containsExactly("work", "other");
    assertThat(pendingReload().path("rules").toString()).isEqualTo("[\"work\",\"other\"]");
    assertThat(pendingReload().path("files").toString()).contains("rules.conf");
    assertThat(pendingReload().path("why").asText())
        .contains("work is missing; other is missing", "reload <host:port>", "POST /api/reload");
    assertThat(pendingMetric()).isEqualTo(1);
    try (JmxConnection link = beans()) {
      assertThat(link.get(new ObjectName("io.portcullis:type=Agent"), "PendingReload"))
          .asString()
          .contains("work is missing");
    }

    write(WORK, OTHER);
    awaitPending(false);
    assertThat(pendingMetric()).isZero();
    assertThat(jvm.output().stdout()).noneMatch(line -> line.startsWith("work: done"));
  }

  @Test
  void typoInAReloadedRuleOpensNoGate() throws IOException, InterruptedException {
    write(NEVER, WORK.replace("Workshop", "Wrokshop"));
    jvm.awaitLog(line -> line.contains("reload refused") && line.contains("Wrokshop"));
    write(WORK);
    jvm.awaitLog(
        line -> line.contains("reload refused") && line.contains("there is no rule never"));

    assertThat(ids()).containsExactly("never", "work");
    assertThat(jvm.output().stdout()).doesNotContain("work: done");
  }

  @Test
  void reloadThatDropsARequiredRuleIsRefused() throws IOException, InterruptedException {
    put(
        "portcullis.rules = [ "
            + WORK
            + " ]\nportcullis.elections.writer.campaign.required-rules = []\n");

    jvm.awaitLog(
        line -> line.contains("reload refused") && line.contains("rule never is required"));

    assertThat(ids()).containsExactly("never", "work");
    assertThat(jvm.status().json().path("elections").path("writer").path("role").asText())
        .isNotEqualTo("LEADER");
    assertThat(jvm.output().stdout()).doesNotContain("work: done");
  }

  @Test
  void invalidReloadIsRefusedAsAWhole() throws IOException, InterruptedException {
    write(NEVER, OTHER, "{ id = broken, match = \"com.acme.app.Workshop\" }");

    jvm.awaitLog(line -> line.contains("reload refused") && line.contains("rules.conf"));

    assertThat(ids()).containsExactly("never", "work");
    assertThat(jvm.isAlive()).isTrue();
    assertThat(jvm.output().stdout())
        .doesNotContain("work: done")
        .noneMatch(line -> line.startsWith("other: refused"));
  }

  @Test
  void unweavableRuleIsRefusedOnReloadWithoutHalting()
      throws IOException, InterruptedException, JMException {
    try (JmxConnection link = beans()) {
      write(
          NEVER,
          "{ id = other, match = \"com.acme.app.Workshop#other()\", exception ="
              + " \"java.io.IOException\" }");
      Object outcome = reload(link);

      assertThat(outcome).asString().startsWith("refused").contains("other", "java.io.IOException");
      assertThat(link.has(JmxConnection.rule("other"))).isFalse();
    }
    assertThat(ids()).containsExactly("never", "work");
    awaitLast("other", "done");
    assertThat(jvm.get("/healthz").status()).isEqualTo(200);
    assertThat(jvm.output().stdout()).doesNotContain("work: done");
  }

  @Test
  void reloadByJmxAppliesAndShowsRulesAtOnce()
      throws IOException, InterruptedException, JMException {
    try (JmxConnection link = beans()) {
      write(NEVER, OTHER);
      Object outcome = reload(link);

      assertThat(outcome).asString().contains("added [other]", "removed [work]", "kept 1");
      assertThat(link.has(JmxConnection.rule("other"))).isTrue();
      assertThat(link.has(JmxConnection.rule("work"))).isFalse();
      assertThat(link.get(JmxConnection.rule("other"), "State")).isEqualTo("ARMED");
    }
    awaitLast("work", "done");
    awaitLast("other", "refused");
  }
}

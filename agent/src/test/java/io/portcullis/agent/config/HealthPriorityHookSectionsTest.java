package io.portcullis.agent.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.agent.config.ElectionSection.EligibilitySection;
import io.portcullis.agent.config.ElectionSection.HooksSection;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests reading of the health, hook and priority settings of a configuration. */
class HealthPriorityHookSectionsTest {
  @TempDir Path folder;

  private ElectionSection election(String lines) {
    return new ConfigFixture(folder).election(lines).load().elections().get(0);
  }

  @Test
  void defaultsAreNoHealthChecksAndNoHooks() {
    ElectionSection election = election("");

    assertThat(election.eligibleWhen().isSet()).isFalse();
    assertThat(election.hooks().isSet()).isFalse();
  }

  @Test
  void healthChecksCanBeCombined() {
    EligibilitySection when =
        election(
                """
                eligible-when {
                  http = "http://localhost:8080/health?full=1", tcp = "[::1]:5432"
                  mbean = "com.acme:type=Health", attribute = Ready, equals = true
                  every = 500ms, timeout = 300ms, failures = 1, successes = 2
                }
                """)
            .eligibleWhen();

    assertThat(when.http()).contains(URI.create("http://localhost:8080/health?full=1"));
    assertThat(when.tcp()).contains(new EligibilitySection.Endpoint("::1", 5432));
    assertThat(when.bean())
        .contains(new EligibilitySection.BeanValue("com.acme:type=Health", "Ready", "true"));
    assertThat(when.every()).isEqualTo(Duration.ofMillis(500));
    assertThat(when.failures()).isEqualTo(1);
    assertThat(when.successes()).isEqualTo(2);
  }

  @Test
  void hooksAreMethodsOfTheApplication() {
    HooksSection hooks =
        election(
                """
                hooks {
                  started = ["com.acme.Jobs$Nightly#resume()"]
                  stopped = ["com.acme.Jobs#pause(long)"]
                  new-leader = ["com.acme.Audit#leader(java.lang.String, long)", "com.acme.A#b()"]
                  timeout = 3s
                }
                """)
            .hooks();

    assertThat(hooks.started())
        .containsExactly(new HookMethod("com.acme.Jobs$Nightly", "resume", List.of()));
    assertThat(hooks.stopped())
        .containsExactly(new HookMethod("com.acme.Jobs", "pause", List.of("long")));
    assertThat(hooks.newLeader())
        .extracting(HookMethod::toString)
        .containsExactly("com.acme.Audit#leader(java.lang.String,long)", "com.acme.A#b()");
    assertThat(hooks.timeout()).isEqualTo(Duration.ofSeconds(3));
  }

  @Test
  void overrideCanListHooksWithCommasInParameters() {
    ConfigFixture trial =
        new ConfigFixture(folder)
            .election("")
            .property(
                "portcullis.elections.writer.hooks.new-leader",
                "a.B#c(java.lang.String,long), a.B#d()");

    assertThat(trial.load().elections().get(0).hooks().newLeader())
        .extracting(HookMethod::toString)
        .containsExactly("a.B#c(java.lang.String,long)", "a.B#d()");
  }

  @Test
  void priorityWithoutBackendSupportCausesWarning() {
    assertThat(new ConfigFixture(folder).with("node.priority = 7").load().files().warnings())
        .anyMatch(text -> text.contains("node.priority is 7 and has no effect in election writer"));
    assertThat(new ConfigFixture(folder).with("node.priority = -7").load().files().warnings())
        .anyMatch(text -> text.contains("can't send priority requests to a leader"));
    assertThat(new ConfigFixture(folder).with("node.priority = 0").load().files().warnings())
        .noneMatch(text -> text.contains("priority"));
  }
}

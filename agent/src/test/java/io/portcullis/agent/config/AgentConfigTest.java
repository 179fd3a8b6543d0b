package io.portcullis.agent.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.agent.config.AgentConfig.LogSection;
import io.portcullis.agent.config.AgentConfig.Mode;
import io.portcullis.agent.config.AgentConfig.NodeSection;
import io.portcullis.agent.config.AgentConfig.OnWeaveError;
import io.portcullis.agent.config.AgentConfig.RefusalLimits;
import io.portcullis.agent.config.AgentConfig.WhenOff;
import io.portcullis.election.config.ElectionConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a right configuration comes to. */
class AgentConfigTest {
  @TempDir Path folder;
  private ConfigFixture trial;

  @BeforeEach
  void begin() {
    trial = new ConfigFixture(folder);
  }

  @Test
  void unsetKeysHaveTheDocumentedDefaults() {
    AgentConfig config = trial.file(ConfigFixture.RIGHT).load();

    assertThat(config.service()).isEqualTo("orders");
    assertThat(config.activation().mode()).isEqualTo(Mode.ENFORCE);
    assertThat(config.activation().whenOff()).isEmpty();
    assertThat(config.activation().onlyMainClass()).isEmpty();
    assertThat(config.node()).isEqualTo(new NodeSection("host-1", null, 0, Duration.ofMinutes(1)));
    assertThat(config.protection().stackTraces()).isFalse();
    assertThat(config.protection().refusalLimits())
        .isEqualTo(new RefusalLimits(100, Duration.ofMillis(10)));
    assertThat(config.protection().onWeaveError()).isEqualTo(OnWeaveError.HALT);
    assertThat(config.interfaces().http())
        .isEqualTo(
            new HttpSection(
                true,
                "127.0.0.1",
                9470,
                HttpSection.ReadyWhen.PARTICIPATING,
                Optional.empty(),
                Optional.empty()));
    assertThat(config.interfaces().log())
        .isEqualTo(new LogSection(LogSection.Level.INFO, LogSection.Format.TEXT));
    assertThat(config.files().warnings()).isEmpty();
    ElectionSection writer = config.elections().get(0);
    assertThat(writer.name()).isEqualTo("writer");
    assertThat(writer.backend()).isEqualTo("trial");
    assertThat(writer.settle()).isEqualTo(Duration.ofSeconds(5));
    assertThat(writer.shutdownLinger()).isEqualTo(Duration.ofSeconds(30));
    assertThat(writer.campaign().requiredRules()).isEmpty();
    assertThat(writer.plan().storeKey()).isEqualTo("portcullis:orders:writer");
    assertThat(writer.plan().timing().lease()).isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void configuredValuesAreUsed() {
    AgentConfig config =
        trial
            .with(
                """
                mode = observe
                only-main-class = com.acme.Main
                node { id = ${?NODE}, advertise = "http://10.0.0.7:8080", priority = 5 }
                stack-traces = true
                refusals { slow-down-after = 0, max-pause = 50ms }
                on-weave-error = refuse
                http { enabled = false, bind = "0.0.0.0", port = 0, ready-when = leader }
                log { level = debug, format = json }
                rule-sets = []
                extensions = []
                elections.writer.timing { lease = "10 s", renew = 1s, drift = 2%, retry = [500ms, 1s] }
                elections.writer.campaign { required-rules = [orders], after = 1m }
                """)
            .variable("NODE", "n7")
            .load();

    assertThat(config.activation().mode()).isEqualTo(Mode.OBSERVE);
    assertThat(config.activation().onlyMainClass()).contains("com.acme.Main");
    assertThat(config.node())
        .isEqualTo(new NodeSection("n7", "http://10.0.0.7:8080", 5, Duration.ofMinutes(1)));
    assertThat(config.protection().stackTraces()).isTrue();
    assertThat(config.protection().refusalLimits())
        .isEqualTo(new RefusalLimits(0, Duration.ofMillis(50)));
    assertThat(config.protection().onWeaveError()).isEqualTo(OnWeaveError.REFUSE);
    assertThat(config.interfaces().http())
        .isEqualTo(
            new HttpSection(
                false,
                "0.0.0.0",
                0,
                HttpSection.ReadyWhen.LEADER,
                Optional.empty(),
                Optional.empty()));
    assertThat(config.interfaces().log())
        .isEqualTo(new LogSection(LogSection.Level.DEBUG, LogSection.Format.JSON));
    ElectionSection writer = config.elections().get(0);
    assertThat(writer.plan().timing().lease()).isEqualTo(Duration.ofSeconds(10));
    assertThat(writer.plan().timing().drift()).isEqualTo(0.02);
    assertThat(writer.plan().timing().retry())
        .containsExactly(Duration.ofMillis(500), Duration.ofSeconds(1));
    assertThat(writer.campaign().requiredRules()).containsExactly("orders");
    assertThat(writer.campaign().after()).isEqualTo(Duration.ofMinutes(1));
  }

  @Test
  void electionReceivesNodeIdAndPriority() {
    AgentConfig config =
        trial.with("node { advertise = \"http://10.0.0.7:8080\", priority = -7 }").load();
    ElectionSection writer = config.elections().get(0);

    assertThat(config.setup(writer, "host-1-x"))
        .isEqualTo(
            new ElectionConfig(
                "orders",
                "writer",
                "host-1-x",
                "http://10.0.0.7:8080",
                writer.plan().timing(),
                -7));
  }

  @Test
  void hostNameBecomesTheNodeId() {
    AgentConfig config = trial.file(ConfigFixture.RIGHT).hostName("my host/7 ü.local").load();

    assertThat(config.node().id()).isEqualTo("my-host-7-.local");
  }

  @Test
  void ruleIsPassedOnAsWritten() {
    AgentConfig config =
        trial
            .file(
                """
                portcullis {
                  service = orders
                  elections { writer { backend = trial, trial.uri = "trial://h" } }
                  rules = [
                    { id = a, match = "A#a()" }
                    { id = b, match = "B#b()", action = wait, timeout = 10m, recheck = true }
                    { id = c, match = "C#c()", action = return, value = null, mode = observe }
                    { id = d, match = "D#d()", action = return, value = 5, empty = false }
                    { id = e, match = "E#e()", exception = "com.acme.No", interrupt = true }
                  ]
                }
                """)
            .load();

    assertThat(config.protection().rules())
        .extracting(RuleSection::id)
        .containsExactly("a", "b", "c", "d", "e");
    assertThat(config.protection().rules())
        .extracting(RuleSection::election)
        .containsOnly("writer");
    assertThat(config.protection().rules())
        .extracting(RuleSection::observe)
        .containsExactly(false, false, true, false, false);
    assertThat(config.protection().rules().get(0).action()).isEqualTo("throw");
    assertThat(config.protection().rules().get(0).options()).isEmpty();
    assertThat(config.protection().rules().get(1).options())
        .isEqualTo(Map.of("timeout", Duration.ofMinutes(10), "recheck", true));
    assertThat(config.protection().rules().get(2).options())
        .containsKey("value")
        .containsValue(null);
    assertThat(config.protection().rules().get(3).options())
        .isEqualTo(Map.of("value", 5, "empty", false));
    assertThat(config.protection().rules().get(4).options())
        .isEqualTo(Map.of("exception", "com.acme.No", "interrupt", true));
    assertThat(config.protection().rules().get(4).place("match")).hasToString("agent.conf:9");
    assertThat(config.protection().rules().get(4).place("timeout")).hasToString("agent.conf:9");
  }

  @Test
  void allRulesObserveIfTheAgentObserves() {
    AgentConfig config = trial.with("mode = observe").load();

    assertThat(config.protection().rules()).extracting(RuleSection::observe).containsOnly(true);
  }

  @Test
  void missingRulesAreAllowedWithAWarning() {
    AgentConfig config = trial.election("").load();

    assertThat(config.protection().rules()).isEmpty();
    assertThat(config.files().warnings())
        .singleElement()
        .asString()
        .contains("portcullis.rules is empty");
  }

  @Test
  void modeOffNeedsNoElection() {
    AgentConfig config =
        trial.file("portcullis { service = a, mode = off, when-off = leader }").load();

    assertThat(config.activation().mode()).isEqualTo(Mode.OFF);
    assertThat(config.activation().whenOff()).contains(WhenOff.LEADER);
    assertThat(config.elections()).isEmpty();
  }

  @Test
  void sectionsOfOtherBackendsAreAllowed() {
    AgentConfig config =
        trial
            .election(
                """
                redis { uri = "redis://localhost" }
                postgres { anything = 1 }
                kubernetes {}
                quorum { members { a = "h:1" } }
                """)
            .load();

    assertThat(config.elections()).hasSize(1);
  }

  @Test
  void nullRestoresTheDefault() {
    AgentConfig config = trial.election("timing { lease = null }\nsettle = null").load();

    assertThat(config.elections().get(0).settle()).isEqualTo(Duration.ofSeconds(5));
    assertThat(config.elections().get(0).plan().timing().lease()).isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void secretFilePathIsRelativeToTheConfiguration() {
    AgentConfig config =
        trial
            .election("trial.password-file = secrets/pw")
            .file("secrets/pw", "hunter2hunter2\n")
            .load();

    assertThat(config.elections().get(0).plan().describe()).contains("password=hunter2hunter2 ");
  }

  @Test
  void secretInTheEnvironmentOverridesItsFile() {
    AgentConfig config =
        trial
            .election("trial.password-file = none")
            .variable("PORTCULLIS__elections__writer__trial__password", "from-env")
            .load();

    assertThat(config.elections().get(0).plan().describe()).contains("password=from-env ");
  }

  @Test
  void secretCanBeSubstitutedFromTheEnvironment() {
    AgentConfig config =
        trial.election("trial.password = ${TRIAL_PW}").variable("TRIAL_PW", "from-var").load();

    assertThat(config.elections().get(0).plan().describe()).contains("password=from-var ");
  }

  @Test
  void effectiveValuesNameTheirOrigin() {
    AgentConfig config =
        trial
            .file(ConfigFixture.RIGHT)
            .variable("PORTCULLIS__log__level", "warn")
            .property("portcullis.http.port", "0")
            .load();

    assertThat(config.files().effective().stream().map(Objects::toString))
        .contains(
            "portcullis.service = orders  # agent.conf:2",
            "portcullis.log.level = warn  # environment PORTCULLIS__log__level",
            "portcullis.http.port = 0  # system property portcullis.http.port",
            "portcullis.log.format = text  # default",
            "portcullis.elections.writer.timing.lease = 30s  # default",
            "portcullis.elections.writer.trial.uri = trial://localhost  # agent.conf:6",
            "portcullis.rule.orders.action = throw  # default");
  }
}

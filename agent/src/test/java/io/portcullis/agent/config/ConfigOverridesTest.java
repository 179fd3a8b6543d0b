package io.portcullis.agent.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The environment lies over the file, system properties over both. */
class ConfigOverridesTest {
  @TempDir Path folder;
  private ConfigFixture trial;

  @BeforeEach
  void begin() {
    trial = new ConfigFixture(folder).file(ConfigFixture.RIGHT);
  }

  @Test
  void environmentOverridesTheFile() {
    trial.election("timing.lease = 20s");
    trial.variable("PORTCULLIS__elections__writer__timing__lease", "15s");

    assertThat(lease(trial.load())).isEqualTo(Duration.ofSeconds(15));
  }

  @Test
  void systemPropertyOverridesTheEnvironment() {
    trial.election("timing.lease = 20s");
    trial.variable("PORTCULLIS__elections__writer__timing__lease", "15s");
    trial.property("portcullis.elections.writer.timing.lease", "10s");

    assertThat(lease(trial.load())).isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void oneUnderscoreIsAHyphen() {
    trial.variable("PORTCULLIS__elections__writer__timing__longest_lease", "40s");

    assertThat(trial.load().elections().get(0).plan().timing().longestLease())
        .isEqualTo(Duration.ofSeconds(40));
  }

  @Test
  void textsAreConvertedToTheTypeOfTheKey() {
    trial.variable("PORTCULLIS__stack_traces", "true");
    trial.variable("PORTCULLIS__http__port", "8081");
    trial.variable("PORTCULLIS__elections__writer__timing__retry", "[500ms,1s]");
    trial.variable("PORTCULLIS__elections__writer__timing__drift", "2%");
    trial.property("portcullis.elections.writer.campaign.required-rules", "orders");

    AgentConfig config = trial.load();

    assertThat(config.protection().stackTraces()).isTrue();
    assertThat(config.interfaces().http().port()).isEqualTo(8081);
    ElectionSection writer = config.elections().get(0);
    assertThat(writer.plan().timing().retry())
        .isEqualTo(List.of(Duration.ofMillis(500), Duration.ofSeconds(1)));
    assertThat(writer.plan().timing().drift()).isEqualTo(0.02);
    assertThat(writer.campaign().requiredRules()).containsExactly("orders");
  }

  @Test
  void listsMayBeSeparatedByCommasAlone() {
    trial.variable("PORTCULLIS__elections__writer__timing__retry", "500ms, 1s");

    assertThat(trial.load().elections().get(0).plan().timing().retry()).hasSize(2);
  }

  @Test
  void nullAndEmptyTextRestoreTheDefault() {
    trial.with("http.port = 1\nnode.advertise = x");
    trial.variable("PORTCULLIS__http__port", "null");
    trial.property("portcullis.node.advertise", "");

    AgentConfig config = trial.load();

    assertThat(config.interfaces().http().port()).isEqualTo(9470);
    assertThat(config.node().advertise()).isNull();
  }

  @Test
  void otherPortcullisVariablesAreIgnored() {
    trial.variable("PORTCULLIS_PORT", "tcp://10.0.0.1:80");
    trial.variable("PORTCULLIS_SERVICE_HOST", "10.0.0.1");
    trial.variable("PORTCULLIS", "x");
    trial.variable("portcullis", "x");

    assertThat(trial.load().service()).isEqualTo("orders");
  }

  @Test
  void rulesAreAddressedById() {
    trial.property("portcullis.rule.orders.mode", "observe");
    trial.variable("PORTCULLIS__rule__orders__action", "return");
    trial.variable("PORTCULLIS__rule__orders__value", "7");

    RuleSection rule = trial.load().protection().rules().get(0);

    assertThat(rule.observe()).isTrue();
    assertThat(rule.action()).isEqualTo("return");
    assertThat(rule.options()).isEqualTo(Map.of("value", 7));
    assertThat(rule.place("action")).hasToString("environment PORTCULLIS__rule__orders__action");
  }

  @Test
  void numericPathIntoRulesIsRefused() {
    trial.property("portcullis.rules.0.mode", "observe");
    trial.variable("PORTCULLIS__rules__0__mode", "observe");

    assertThat(trial.problems())
        .containsExactly(
            "environment PORTCULLIS__rules__0__mode: portcullis.rules.0.mode = observe: rules are"
                + " addressed by id: portcullis.rule.<id>.mode, for example",
            "system property portcullis.rules.0.mode: portcullis.rules.0.mode = observe: rules are"
                + " addressed by id: portcullis.rule.<id>.mode, for example");
  }

  @Test
  void numericPathIntoAnotherListIsRefused() {
    trial.election("timing.retry = [1s]");
    trial.property("portcullis.elections.writer.timing.retry.0", "2s");

    assertThat(trial.problems())
        .singleElement()
        .asString()
        .contains("a list can't be set item by item");
  }

  @Test
  void unknownOverrideIsRefusedNamingItsVariable() {
    trial.property("portcullis.rule.order.mode", "observe");
    trial.variable("PORTCULLIS__elections__wrtier__timing__lease", "1s");
    trial.variable("PORTCULLIS__rule__orders__moed", "observe");
    trial.variable("PORTCULLIS__servcie", "x");
    trial.variable("PORTCULLIS__elections__writer__timing__leese", "1s");

    assertThat(trial.problems())
        .containsExactly(
            "environment PORTCULLIS__elections__writer__timing__leese:"
                + " portcullis.elections.writer.timing.leese: unknown key; did you mean"
                + " lease?",
            "environment PORTCULLIS__elections__wrtier__timing__lease:"
                + " portcullis.elections.wrtier.timing.lease = 1s: the file has no election"
                + " wrtier; did you mean writer?",
            "environment PORTCULLIS__rule__orders__moed: portcullis.rule.orders.moed:"
                + " unknown key; did you mean mode?",
            "environment PORTCULLIS__servcie: portcullis.servcie: unknown key; did you mean"
                + " service?",
            "system property portcullis.rule.order.mode: portcullis.rule.order.mode = observe: the"
                + " file has no rule order; did you mean orders?");
  }

  @Test
  void longestExistingIdIsUsed() {
    trial.file(
        """
        portcullis {
          service = s
          elections {
            a { backend = trial, trial.uri = "trial://h" }
            "a.b" { backend = trial, trial.uri = "trial://h" }
          }
          rules = [ { id = r, match = m, election = a }, { id = r.s, match = m, election = a } ]
        }
        """);
    trial.property("portcullis.elections.a.b.settle", "7s");
    trial.variable("PORTCULLIS__rule__r__s__mode", "observe");

    AgentConfig config = trial.load();

    assertThat(config.elections())
        .extracting(ElectionSection::settle)
        .containsExactly(Duration.ofSeconds(5), Duration.ofSeconds(7));
    assertThat(config.protection().rules())
        .extracting(RuleSection::observe)
        .containsExactly(false, true);
  }

  @Test
  void underscoreInVariableMatchesUnderscoreInId() {
    trial.file(ConfigFixture.RIGHT.replace("id = orders", "id = all_orders"));
    trial.variable("PORTCULLIS__rule__all_orders__mode", "observe");

    assertThat(trial.load().protection().rules().get(0).observe()).isTrue();
  }

  @Test
  void variableThatMatchesTwoIdsIsRefused() {
    trial.file(
        ConfigFixture.RIGHT.replace(
            "rules = [", "rules = [ { id = a_b, match = m }, { id = a-b, match = m }"));
    trial.variable("PORTCULLIS__rule__a_b__mode", "observe");

    assertThat(trial.problems()).singleElement().asString().contains("matches each of a-b, a_b");
  }

  @Test
  void sectionCannotBeReplacedByText() {
    trial.property("portcullis.elections.writer", "x");
    trial.property("portcullis.elections.writer.trial", "x");
    trial.property("portcullis.http", "x");

    assertThat(trial.problems()).hasSize(3).allMatch(line -> line.contains("is a section"));
  }

  @Test
  void idOfARuleCannotBeOverridden() {
    trial.property("portcullis.rule.orders.id", "x");

    assertThat(trial.problems()).singleElement().asString().contains("can't be overridden");
  }

  @Test
  void backendCanBeOverridden() {
    trial.file(ConfigFixture.RIGHT.replace("backend = trial", "backend = redis"));
    trial.property("portcullis.elections.writer.backend", "trial");

    assertThat(trial.load().elections().get(0).backend()).isEqualTo("trial");
  }

  private static Duration lease(AgentConfig config) {
    return config.elections().get(0).plan().timing().lease();
  }
}

package io.portcullis.rules.coverage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.portcullis.gate.ElectionGate;
import io.portcullis.rules.SampleClassLoader;
import io.portcullis.rules.WeavingFixture;
import io.portcullis.rules.coverage.InstalledRules.RefusalWrapping;
import io.portcullis.rules.coverage.RuleCoverage.RuleState;
import io.portcullis.rules.plan.Rule;
import io.portcullis.rules.spec.RuleSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RuleCoverageTest {
  private static final Duration LONG = Duration.ofMinutes(2);

  private static final String SHAPES = SampleClassLoader.SAMPLES + "Shapes";
  private static final String WITHOUT_BODY = SampleClassLoader.SAMPLES + "MethodsWithoutBody";

  @Test
  void ruleIsPendingUntilItsClassIsSeenAndArmedOnce() throws Exception {
    try (WeavingFixture trial = WeavingFixture.of(SHAPES + "#s*()")) {
      assertThat(trial.coverage().state()).isEqualTo(RuleState.PENDING);

      Class<?> first = new SampleClassLoader().loadClass(SHAPES);
      Class<?> second = new SampleClassLoader().loadClass(SHAPES);

      assertThat(trial.coverage().state()).isEqualTo(RuleState.ARMED);
      assertThat(trial.coverage().wovenMethods()).isEqualTo(4); // secret and staged, twice.
      assertThat(trial.news).containsExactly("rule-0 ARMED");
      assertThat(first).isNotSameAs(second); // Keeps both from being collected until here.
    }
  }

  @Test
  void pendingRuleIsNotNeededOnceAnAlternativeIsArmed() throws Exception {
    Map<String, Object> group = Map.of("one-of", "shapes");
    try (WeavingFixture trial =
        WeavingFixture.of(
            List.of(
                WeavingFixture.rule("absent", "com.acme.Absent#secret()", group),
                WeavingFixture.rule("shapes", SHAPES + "#secret()", group),
                WeavingFixture.rule("typo", SHAPES + "#sercet()", group),
                WeavingFixture.rule("other", "com.acme.Absent#secret()", Map.of())))) {
      assertThat(states(trial)).containsOnly(RuleState.PENDING);

      new SampleClassLoader().loadClass(SHAPES);

      assertThat(states(trial))
          .containsExactly(
              RuleState.NOT_NEEDED, RuleState.ARMED, RuleState.NO_METHOD, RuleState.PENDING);
      assertThat(trial.news).containsExactlyInAnyOrder("shapes ARMED", "typo NO_METHOD");
    }
  }

  @Test
  void alternativeThatNeverRefusesReplacesNoRuleThatRefuses() {
    Map<String, Object> group = Map.of("one-of", "shapes");
    Rule refusing = WeavingFixture.rule("refusing", "com.acme.Store#save(..)", group);
    Rule recording =
        Rule.of(
            new RuleSpec("sql", "java.sql.Statement+#*(..)", "writer", "note-sql", group, false),
            false);

    assertThat(recording.replaces(refusing)).isFalse();
    assertThat(refusing.replaces(recording)).isTrue();
  }

  @Test
  void observedAlternativeReplacesNoRuleThatRefuses() throws Exception {
    Map<String, Object> group = Map.of("one-of", "shapes");
    try (WeavingFixture trial =
        WeavingFixture.of(
            List.of(
                WeavingFixture.rule("refusing", "com.acme.Absent#secret()", group),
                WeavingFixture.observing("watched", "com.acme.Absent#secret()", group),
                WeavingFixture.observing("watching", SHAPES + "#secret()", group)))) {
      new SampleClassLoader().loadClass(SHAPES);

      assertThat(states(trial))
          .containsExactly(RuleState.PENDING, RuleState.NOT_NEEDED, RuleState.ARMED);
    }
  }

  private static List<RuleState> states(WeavingFixture trial) {
    return trial.book.coverage().stream().map(RuleCoverage::state).toList();
  }

  @Test
  void ruleWithoutAMethodReportsNearMisses() throws Exception {
    try (WeavingFixture trial = WeavingFixture.of(SHAPES + "#choice(long)", SHAPES + "#Plain()")) {
      new SampleClassLoader().loadClass(SHAPES);

      assertThat(trial.book.coverage())
          .extracting(RuleCoverage::state)
          .containsOnly(RuleState.NO_METHOD);
      assertThat(trial.book.coverage().get(0).hint())
          .contains("choice(int) exists; the rule specifies choice(long)");
      assertThat(trial.book.coverage().get(1).hint()).contains("similar: plain()");
    }
  }

  @Test
  void abstractAndNativeMethodsAreAlwaysReported() throws Exception {
    try (WeavingFixture trial =
        WeavingFixture.of(
            WITHOUT_BODY + "#save()", WITHOUT_BODY + "#sync()", WITHOUT_BODY + "#*(..)")) {
      new SampleClassLoader().loadClass(WITHOUT_BODY);

      List<RuleCoverage> coverage = trial.book.coverage();
      assertThat(coverage.get(0).state()).isEqualTo(RuleState.NO_METHOD);
      assertThat(coverage.get(0).hint()).contains("save() is abstract");
      assertThat(coverage.get(1).state()).isEqualTo(RuleState.FAILED);
      assertThat(coverage.get(1).hint()).contains("sync()").contains("native");
      assertThat(coverage.get(2).state()).isEqualTo(RuleState.ARMED);
      assertThat(coverage.get(2).wovenMethods()).isEqualTo(1);
      assertThat(coverage.get(2).hint())
          .contains("save() is abstract")
          .contains("sync() is native");
    }
  }

  @Test
  void wovenClassLoaderCanBeCollected() throws Exception {
    try (WeavingFixture trial = WeavingFixture.of(SHAPES + "#plain()")) {
      new SampleClassLoader().loadClass(SHAPES);
      assertThat(trial.coverage().wovenMethods()).isEqualTo(1);

      await()
          .atMost(LONG)
          .untilAsserted(
              () -> {
                System.gc();
                assertThat(trial.coverage().wovenMethods()).isZero();
              });
    }
  }

  @Test
  void rulesWithTheSameIdAreRefused() {
    Rule rule = WeavingFixture.rule("same", SHAPES + "#plain()", Map.of());

    assertThatThrownBy(
            () ->
                InstalledRules.install(
                    List.of(rule, rule),
                    ElectionGate::forTrial,
                    RefusalWrapping.NONE,
                    (any, state, hint) -> {}))
        .hasMessage("Two rules have the id 'same'. Give each its own.");
  }
}

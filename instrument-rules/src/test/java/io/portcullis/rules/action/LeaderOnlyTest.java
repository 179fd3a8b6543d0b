package io.portcullis.rules.action;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.gate.NotLeaderException;
import io.portcullis.rules.SampleClassLoader;
import io.portcullis.rules.SampleClassLoader.Sample;
import io.portcullis.rules.WeavingFixture;
import io.portcullis.rules.coverage.RuleCoverage;
import io.portcullis.rules.plan.Rule;
import io.portcullis.rules.spec.RuleSpec;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Methods with the annotation LeaderOnly, with one election and with several. */
class LeaderOnlyTest {
  private static final String MATCH = "@io.portcullis.gate.LeaderOnly **#*(..)";

  private static Rule rule(String election, Set<String> elections) {
    return Rule.of(
        new RuleSpec(
            "leader-only." + election, MATCH, election, "leader-only", Map.of(), false, elections),
        false);
  }

  private static WeavingFixture ofTwo() {
    Set<String> both = Set.of("writer", "other");
    return WeavingFixture.of(List.of(rule("writer", both), rule("other", both)));
  }

  @Test
  void annotationOfAMethodWinsOverThatOfItsType() throws Throwable {
    try (WeavingFixture trial = ofTwo()) {
      Sample sample = new SampleClassLoader().sample("LeaderMarked");

      trial.open();
      assertThat(sample.call("byType")).isEqualTo("ran");
      assertThatThrownBy(() -> sample.call("byMethod"))
          .isInstanceOfSatisfying(
              NotLeaderException.class,
              refused -> assertThat(refused.election()).isEqualTo("other"));
      assertThatThrownBy(() -> sample.call("byMeta"))
          .isInstanceOfSatisfying(
              NotLeaderException.class,
              refused -> assertThat(refused.election()).isEqualTo("other"));

      trial.gate.shut();
      WeavingFixture.open(trial.otherGate);
      assertThatThrownBy(() -> sample.call("byType")).isInstanceOf(NotLeaderException.class);
      assertThat(sample.call("byMethod")).isEqualTo("ran");
      assertThat(sample.call("byMeta")).isEqualTo("ran");
      assertThat(trial.book.coverage())
          .extracting(RuleCoverage::wovenMethods)
          .containsExactly(1L, 2L);
      assertThat(trial.failures).isEmpty();
    }
  }

  @Test
  void singleElectionNeedNotBeNamedAndVoidMethodsAreSkipped() throws Throwable {
    try (WeavingFixture trial = WeavingFixture.of(List.of(rule("writer", Set.of("writer"))))) {
      Sample sample = new SampleClassLoader().sample("LeaderMarked$Plain");

      sample.call("silent");
      assertThat(sample.call("runs")).isEqualTo(0);
      assertThatThrownBy(() -> sample.call("owed")).isInstanceOf(NotLeaderException.class);

      trial.open();
      sample.call("silent");
      assertThat(sample.call("runs")).isEqualTo(1);
      assertThat(sample.call("owed")).isEqualTo("ran");
    }
  }

  @Test
  void unnamedElectionAmongSeveralIsAWeaveError() throws Throwable {
    try (WeavingFixture trial = ofTwo()) {
      Sample sample = new SampleClassLoader().sample("LeaderMarked$Plain");

      assertThatThrownBy(() -> sample.call("owed")).hasMessageContaining("without an election");
      assertThat(trial.failures).isNotEmpty();
    }
  }

  @Test
  void leaderOnlyForUnknownElectionIsAWeaveError() throws Throwable {
    try (WeavingFixture trial = ofTwo()) {
      trial.open();
      WeavingFixture.open(trial.otherGate);
      Sample sample = new SampleClassLoader().sample("LeaderMarked$Stray");

      assertThatThrownBy(() -> sample.call("run"))
          .hasMessageContaining("for election 'others', and there are only");
      assertThat(trial.failures).isNotEmpty();
    }
  }
}

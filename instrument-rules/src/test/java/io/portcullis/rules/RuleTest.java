package io.portcullis.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.portcullis.rules.InvalidRule.Problem;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RuleTest {
  @Test
  void ruleTellsItsActionInWords() {
    assertThat(rule("throw", Map.of()).action().text()).isEqualTo("throw");
    assertThat(rule("throw", Map.of("exception", "com.acme.Standby")).action().text())
        .isEqualTo("throw com.acme.Standby");
  }

  @Test
  void allProblemsOfARuleAreToldAtOnce() {
    RuleSpec spec =
        new RuleSpec(
            "no spaces",
            "com.acme.Ledger",
            "",
            "throw",
            Map.of("exception", "no name!", "timeout", "10s", "recheck", true),
            false);

    List<Problem> problems = problems(spec);

    assertThat(problems)
        .extracting(Problem::key)
        .containsExactlyInAnyOrder("id", "election", "match", "recheck", "timeout", "exception");
  }

  @Test
  void unknownActionIsRefusedWithTheListOfActions() {
    assertThat(problems(spec("explode", Map.of())))
        .containsExactly(
            new Problem("action", "there is no action 'explode'", "The actions are throw"));
  }

  @Test
  void actionsOfTheContractThatAreNotThereYetSaySo() {
    for (String action : List.of("skip", "return", "wait")) {
      assertThat(problems(spec(action, Map.of())))
          .extracting(Problem::problem)
          .containsExactly("not yet: this version does not have '" + action + "'");
    }
  }

  @Test
  void optionThatTheActionDoesNotKnowIsRefused() {
    assertThat(problems(spec("throw", Map.of("value", 1))))
        .containsExactly(
            new Problem("value", "action 'throw' does not know it", "Its options are exception"));
    assertThat(problems(spec("throw", Map.of("exception", 1))))
        .extracting(Problem::problem)
        .containsExactly("'1' is not a string");
  }

  private static Rule rule(String action, Map<String, Object> options) {
    return Rule.of(spec(action, options), false);
  }

  private static RuleSpec spec(String action, Map<String, Object> options) {
    return new RuleSpec("orders", "com.acme.Ledger#save(..)", "writer", action, options, false);
  }

  private static List<Problem> problems(RuleSpec spec) {
    return catchThrowableOfType(InvalidRule.class, () -> Rule.of(spec, false)).problems();
  }
}

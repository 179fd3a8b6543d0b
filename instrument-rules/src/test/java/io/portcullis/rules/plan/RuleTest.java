package io.portcullis.rules.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.portcullis.rules.spec.RuleSpec;
import io.portcullis.rules.spec.RuleSpec.InvalidRuleException;
import io.portcullis.rules.spec.RuleSpec.InvalidRuleException.Problem;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RuleTest {
  private static final Map<String, @Nullable Object> NULL_VALUE =
      Collections.singletonMap("value", null);

  @Test
  void ruleDescribesItsAction() {
    assertThat(rule("throw", Map.of()).action().text()).isEqualTo("throw");
    assertThat(rule("throw", Map.of("exception", "com.acme.Standby")).action().text())
        .isEqualTo("throw com.acme.Standby");
  }

  @Test
  void allProblemsOfARuleAreReportedTogether() {
    RuleSpec spec =
        new RuleSpec(
            "no spaces",
            "com.acme.Ledger",
            "",
            "throw",
            Map.of("exception", "no name!", "timeout", "10s", "recheck", "yes"),
            false);

    List<Problem> problems = problems(spec);

    assertThat(problems)
        .extracting(Problem::key)
        .containsExactlyInAnyOrder("id", "election", "match", "recheck", "timeout", "exception");
  }

  @Test
  void actionThatNoConstructorCanHaveIsRefusedEarly() {
    RuleSpec spec =
        new RuleSpec("made", "com.acme.Order#new(..)", "writer", "skip", Map.of(), false);

    assertThat(problems(spec))
        .singleElement()
        .satisfies(problem -> assertThat(problem.key()).isEqualTo("action"))
        .satisfies(problem -> assertThat(problem.problem()).contains("can't be skipped"));
  }

  @Test
  void unknownActionIsRefusedWithTheListOfActions() {
    assertThat(problems(spec("explode", Map.of())))
        .containsExactly(
            new Problem(
                "action",
                "there is no action 'explode'",
                "The actions are return, skip, throw, wait"));
  }

  @Test
  void everyActionDescribesItsOptions() {
    assertThat(rule("skip", Map.of("recheck", true)).action().text()).isEqualTo("skip, recheck");
    assertThat(rule("return", Map.of("empty", true)).action().text()).isEqualTo("return empty");
    assertThat(rule("return", Map.of("value", "no")).action().text()).isEqualTo("return \"no\"");
    assertThat(rule("return", NULL_VALUE).action().text()).isEqualTo("return null");
    assertThat(rule("wait", Map.of("timeout", Duration.ofMinutes(10))).action().text())
        .isEqualTo("wait 600s");
    assertThat(
            rule("wait", Map.of("timeout", Duration.ofMillis(1500), "interrupt", true))
                .action()
                .text())
        .isEqualTo("wait 1500ms, interrupt");
  }

  @Test
  void waitNeedsAFiniteTime() {
    assertThat(problems(spec("wait", Map.of())))
        .containsExactly(
            new Problem(
                "timeout", "is missing, and no call may wait forever", "Write timeout = 30s"));
    assertThat(problems(spec("wait", Map.of("timeout", Duration.ZERO))))
        .extracting(Problem::problem)
        .containsExactly("is not positive");
    assertThat(problems(spec("wait", Map.of("timeout", Duration.ofDays(1000)))))
        .extracting(Problem::problem)
        .containsExactly("is longer than a year");
  }

  @Test
  void returnNeedsExactlyOneValue() {
    assertThat(problems(spec("return", Map.of())))
        .extracting(Problem::problem)
        .containsExactly("the value to return is missing");
    assertThat(problems(spec("return", Map.of("empty", true, "value", 1))))
        .extracting(Problem::problem)
        .containsExactly("value is set too");
    assertThat(rule("return", Map.of("empty", false, "value", 1)).action().text())
        .isEqualTo("return 1");
  }

  @Test
  void observingRuleNeitherRechecksNorInterrupts() {
    RuleSpec observing =
        new RuleSpec(
            "orders",
            "com.acme.Ledger#save(..)",
            "writer",
            "throw",
            Map.of("recheck", true, "interrupt", true),
            true);

    assertThat(Rule.of(observing, false).action().text()).isEqualTo("throw");
  }

  @Test
  void unknownOptionIsRefused() {
    assertThat(problems(spec("throw", Map.of("value", 1))))
        .containsExactly(
            new Problem(
                "value",
                "action 'throw' does not support it",
                "Its options are exception, interrupt, recheck"));
    assertThat(problems(spec("skip", NULL_VALUE)))
        .extracting(Problem::problem)
        .containsExactly("action 'skip' does not support it");
    assertThat(rule("throw", Map.of("empty", false)).action().text()).isEqualTo("throw");
    assertThat(problems(spec("throw", Map.of("exception", 1))))
        .extracting(Problem::problem)
        .containsExactly("'1' is not a string");
  }

  private static Rule rule(String action, Map<String, @Nullable Object> options) {
    return Rule.of(spec(action, options), false);
  }

  private static RuleSpec spec(String action, Map<String, @Nullable Object> options) {
    return new RuleSpec("orders", "com.acme.Ledger#save(..)", "writer", action, options, false);
  }

  private static List<Problem> problems(RuleSpec spec) {
    return catchThrowableOfType(InvalidRuleException.class, () -> Rule.of(spec, false)).problems();
  }
}

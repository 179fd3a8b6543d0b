package io.portcullis.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.gate.ElectionGate;
import io.portcullis.gate.NotLeaderException;
import io.portcullis.rules.RulesInForce.Replacement;
import io.portcullis.rules.RulesInForce.ReplacementProgress;
import io.portcullis.rules.SampleClassLoader.Sample;
import io.portcullis.rules.coverage.InstalledRules;
import io.portcullis.rules.coverage.InstalledRules.RefusalWrapping;
import io.portcullis.rules.coverage.RuleCoverage;
import io.portcullis.rules.plan.Rule;
import io.portcullis.rules.spec.RuleSpec;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A replacement of the rules without the admin command disarms none of them. */
@Tag("slow")
class UnrequestedReplacementTest {
  private static final String SHAPES = SampleClassLoader.SAMPLES + "Shapes";
  private static final Rule SECRET = WeavingFixture.rule("secret", SHAPES + "#secret()", Map.of());
  private static final Rule FIXED = WeavingFixture.rule("fixed", SHAPES + "#fixed(..)", Map.of());
  private static final Rule BY_SUBTYPE = WeavingFixture.rule("kin", SHAPES + "+#plain()", Map.of());

  private final ElectionGate gate = ElectionGate.forTrial("writer");
  private final RulesInForce rules =
      new RulesInForce(
          WeavingFixture.INSTRUMENTATION,
          InstalledRules.install(
              List.of(), name -> gate, RefusalWrapping.NONE, (rule, state, hint) -> {}),
          failure -> true,
          loader -> false);

  @AfterEach
  void leaveNothingBehind() {
    rules.end();
  }

  private Replacement replaceUnlessDisarming(Rule... next) {
    return rules.replaceUnlessDisarming(
        List.of(next), book -> followedBy(book, next), ReplacementProgress.NONE);
  }

  private void replace(Rule... next) {
    assertThat(rules.replace(book -> followedBy(book, next), ReplacementProgress.NONE)).isEmpty();
  }

  private InstalledRules followedBy(InstalledRules book, Rule... next) {
    return book.followedBy(
        List.of(next), name -> gate, RefusalWrapping.NONE, (rule, state, hint) -> {});
  }

  private static Rule secret(String action, Map<String, @Nullable Object> options) {
    return secret("writer", action, options, false);
  }

  private static Rule secret(
      String election, String action, Map<String, @Nullable Object> options, boolean observe) {
    RuleSpec spec =
        new RuleSpec("secret", SHAPES + "#secret()", election, action, options, observe);
    return Rule.of(spec, false);
  }

  static Stream<Arguments> weakened() {
    Rule watchful = secret("throw", Map.of("recheck", true, "interrupt", true));
    return Stream.of(
        Arguments.of(watchful, List.of(FIXED), "secret is missing"),
        Arguments.of(
            watchful, List.of(secret("writer", "throw", Map.of(), true)), "secret only observes"),
        Arguments.of(
            watchful,
            List.of(secret("reader", "throw", Map.of(), false)),
            "secret follows the election reader instead of writer"),
        Arguments.of(
            watchful,
            List.of(secret("throw", Map.of("interrupt", true))),
            "secret no longer sets recheck"),
        Arguments.of(
            watchful,
            List.of(secret("throw", Map.of("recheck", true))),
            "secret no longer sets interrupt"),
        Arguments.of(
            SECRET,
            List.of(secret("throw-unless-read", Map.of())),
            "secret has another action or other options, with which a body may run"));
  }

  @ParameterizedTest
  @MethodSource("weakened")
  void unrequestedReplacementThatWeakensARuleIsRefused(
      Rule before, List<Rule> next, String disarmed) throws Throwable {
    replace(before);
    Sample shapes = new SampleClassLoader().sample("Shapes");

    Replacement outcome = replaceUnlessDisarming(next.toArray(new Rule[0]));

    assertThat(outcome.disarmed()).singleElement().hasToString(disarmed);
    assertThat(rules.book().coverage()).extracting(RuleCoverage::id).containsExactly("secret");
    assertThatThrownBy(() -> shapes.call("secret")).isInstanceOf(NotLeaderException.class);
  }

  @Test
  void unrequestedReplacementThatUngatesAMethodIsRefused() throws Throwable {
    replace(WeavingFixture.rule("wide", SHAPES + "#*(..)", Map.of()));
    Sample shapes = new SampleClassLoader().sample("Shapes");

    Replacement one =
        replaceUnlessDisarming(WeavingFixture.rule("wide", SHAPES + "#s*()", Map.of()));
    Replacement other =
        replaceUnlessDisarming(WeavingFixture.rule("wide", SHAPES + "#plain()", Map.of()));

    assertThat(one.disarmed())
        .singleElement()
        .asString()
        .startsWith("wide no longer gates " + SHAPES + "#")
        .endsWith(" more");
    assertThat(other.disarmed()).hasSize(1);
    assertThatThrownBy(() -> shapes.call("plain")).isInstanceOf(NotLeaderException.class);
    assertThatThrownBy(() -> shapes.call("secret")).isInstanceOf(NotLeaderException.class);
  }

  @Test
  void unrequestedReplacementByOtherMethodsIsRefused() throws Throwable {
    replace(SECRET);
    Sample shapes = new SampleClassLoader().sample("Shapes");

    Replacement outcome =
        replaceUnlessDisarming(WeavingFixture.rule("secret", SHAPES + "#plain()", Map.of()));

    assertThat(outcome.disarmed()).singleElement().asString().contains("Shapes#secret()I");
    assertThatThrownBy(() -> shapes.call("secret")).isInstanceOf(NotLeaderException.class);
    shapes.call("plain");
  }

  @Test
  void removalOfAPendingRuleNeedsTheAdminCommandToo() {
    replace(SECRET, FIXED);

    assertThat(replaceUnlessDisarming(FIXED).disarmed())
        .singleElement()
        .hasToString("secret is missing");
  }

  @Test
  void changedMatchNeedsTheAdminCommandInAnyCase() throws Throwable {
    replace(SECRET);
    Sample shapes = new SampleClassLoader().sample("Shapes");

    Replacement outcome =
        replaceUnlessDisarming(WeavingFixture.rule("secret", SHAPES + "#s*()", Map.of()));

    assertThat(outcome.disarmed())
        .singleElement()
        .asString()
        .startsWith("secret has another match");
    assertThatThrownBy(() -> shapes.call("secret")).isInstanceOf(NotLeaderException.class);
  }

  @Test
  void unrequestedReplacementThatOnlyStrengthensIsApplied() throws Throwable {
    replace(SECRET, WeavingFixture.observing("kin", SHAPES + "+#plain()", Map.of()));
    Sample shapes = new SampleClassLoader().sample("Shapes");

    Replacement outcome =
        replaceUnlessDisarming(
            WeavingFixture.rule("secret", SHAPES + "#secret()", Map.of("recheck", true)),
            BY_SUBTYPE,
            FIXED);

    assertThat(outcome).isEqualTo(new Replacement(List.of(), List.of()));
    assertThatThrownBy(() -> shapes.call("secret")).isInstanceOf(NotLeaderException.class);
    assertThatThrownBy(() -> shapes.call("plain")).isInstanceOf(NotLeaderException.class);
    assertThatThrownBy(() -> shapes.call("fixed", "a")).isInstanceOf(NotLeaderException.class);
    assertThat(replaceUnlessDisarming(FIXED, BY_SUBTYPE, secret("skip-or-throw", Map.of())))
        .extracting(Replacement::disarmed)
        .asInstanceOf(InstanceOfAssertFactories.LIST)
        .isNotEmpty();
  }

  @Test
  void observingRuleMayBeRemovedWithoutTheAdminCommand() {
    replace(SECRET, WeavingFixture.observing("kin", SHAPES + "+#plain()", Map.of()));

    assertThat(replaceUnlessDisarming(SECRET).disarmed()).isEmpty();
    assertThat(rules.book().coverage()).extracting(RuleCoverage::id).containsExactly("secret");
  }
}

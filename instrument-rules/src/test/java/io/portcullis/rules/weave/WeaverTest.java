package io.portcullis.rules.weave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.portcullis.gate.NotLeaderException;
import io.portcullis.rules.SampleClassLoader;
import io.portcullis.rules.SampleClassLoader.Sample;
import io.portcullis.rules.WeavingFixture;
import io.portcullis.rules.coverage.Canary;
import io.portcullis.rules.coverage.RuleCoverage;
import io.portcullis.rules.coverage.RuleCoverage.RuleState;
import io.portcullis.rules.plan.Rule;
import io.portcullis.rules.spec.RuleSpec;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@SuppressWarnings("NullAway") // Methods called by name may take and return null.
class WeaverTest {
  private static final String SHAPES = SampleClassLoader.SAMPLES + "Shapes";

  static Stream<Arguments> calls() {
    return Stream.of(
        call("plain", null),
        call("fixed", "fixed it", "it"),
        call("secret", 42),
        call("locked", 6L, 1L, 2.5, 3),
        call("precise", -6.0, 2.0, 3L),
        call("precise", 200.0, 2.0, 100L),
        call("many", "a-b", (Object) new String[] {"a", "b"}),
        call("failing", -1, 1),
        call("failing", 10, 2),
        call("reuse", "number 2", "text"),
        call("choice", "few", 2),
        call("choice", "many", 1000),
        call("choice", "negative", -7),
        call("mention", null, (Object) null));
  }

  private static Arguments call(String method, Object result, Object... arguments) {
    return Arguments.of(method, result, arguments);
  }

  @ParameterizedTest
  @MethodSource("calls")
  void methodOfAnyShapeRunsOpenAndThrowsShut(String method, Object result, Object[] arguments)
      throws Throwable {
    try (WeavingFixture trial = WeavingFixture.of(SHAPES + "#" + method + "(..)")) {
      Sample shapes = new SampleClassLoader().sample("Shapes");

      assertThatThrownBy(() -> shapes.call(method, arguments))
          .isInstanceOf(NotLeaderException.class)
          .hasMessageContaining("rule-0");

      trial.open();
      assertThat(shapes.call(method, arguments)).isEqualTo(result);

      trial.gate.shut();
      assertThatThrownBy(() -> shapes.call(method, arguments))
          .isInstanceOf(NotLeaderException.class);
      assertThat(trial.gate.callsInFlight()).isZero();
      assertThat(trial.coverage())
          .isEqualTo(
              new RuleCoverage(
                  "rule-0",
                  SHAPES + "#" + method + "(..)",
                  trial.gate.name(),
                  "throw",
                  false,
                  RuleState.ARMED,
                  1,
                  "",
                  1,
                  2,
                  0,
                  0,
                  List.of()));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"failing", "endless"})
  void callThatThrowsItsOwnExceptionIsNotInFlight(String method) throws Throwable {
    try (WeavingFixture trial = WeavingFixture.of(SHAPES + "#" + method + "(int)")) {
      Sample shapes = new SampleClassLoader().sample("Shapes");
      trial.open();

      Throwable thrown = catchThrowable(() -> shapes.call(method, 0));

      assertThat(thrown)
          .isInstanceOfAny(IllegalArgumentException.class, UnsupportedOperationException.class);
      assertThat(trial.gate.callsInFlight()).isZero();
      assertThat(trial.coverage().passed()).isEqualTo(1);
    }
  }

  @Test
  @SuppressWarnings("unchecked")
  void refusedAsynchronousCallReturnsAFailedFuture() throws Throwable {
    try (WeavingFixture trial =
        WeavingFixture.of(SHAPES + "#later(boolean)", SHAPES + "#staged()")) {
      Sample shapes = new SampleClassLoader().sample("Shapes");

      var later = (CompletableFuture<String>) shapes.call("later", false);
      var staged = (CompletionStage<String>) shapes.call("staged");

      assertThat(catchThrowable(later::join)).hasCauseInstanceOf(NotLeaderException.class);
      assertThat(catchThrowable(staged.toCompletableFuture()::join))
          .hasCauseInstanceOf(NotLeaderException.class);

      trial.open();
      assertThat((CompletableFuture<String>) shapes.call("later", false))
          .isCompletedWithValue("done");
      assertThatThrownBy(() -> shapes.call("later", true)).hasMessage("before there was a future");
      assertThat(((CompletionStage<String>) shapes.call("staged")).toCompletableFuture())
          .isCompletedWithValue("staged");
      assertThat(trial.gate.callsInFlight()).isZero();
      assertThat(trial.coverage().passed()).isEqualTo(2);
      assertThat(trial.coverage().blocked()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"record", "accessor", "enum", "default", "static", "private", "inner"})
  void typesOfEveryKindAreGated(String kind) throws Throwable {
    try (WeavingFixture trial =
        WeavingFixture.of(
            SampleClassLoader.SAMPLES + "TypeKinds$Point#*(..)",
            SampleClassLoader.SAMPLES + "TypeKinds$Colour$1#shout()",
            SampleClassLoader.SAMPLES + "TypeKinds$Greeter#*(..)",
            SampleClassLoader.SAMPLES + "TypeKinds$Inner#deep()")) {
      Sample types = new SampleClassLoader().sample("TypeKinds");

      assertThatThrownBy(() -> types.call("gated", kind)).isInstanceOf(NotLeaderException.class);

      trial.open();
      assertThat(types.call("gated", kind)).isNotNull();
      assertThat(types.call("all")).isEqualTo("5.0RED!hellofixeddeep");
    }
  }

  @Test
  void methodOfTwoRulesNeedsBothGatesOpen() throws Throwable {
    Rule first = WeavingFixture.rule("first", SHAPES + "#plain()", Map.of());
    Rule second =
        Rule.of(
            new RuleSpec("second", SHAPES + "#pl*(..)", "other", "throw", Map.of(), false), false);
    try (WeavingFixture trial = WeavingFixture.of(List.of(first, second))) {
      Sample shapes = new SampleClassLoader().sample("Shapes");

      trial.open();
      assertThatThrownBy(() -> shapes.call("plain")).hasMessageContaining("second");
      assertThat(trial.gate.callsInFlight()).isZero();
      assertThat(trial.otherGate.callsInFlight()).isZero();

      WeavingFixture.open(trial.otherGate);
      shapes.call("plain");
      assertThat(trial.gate.callsInFlight()).isZero();
      assertThat(trial.otherGate.callsInFlight()).isZero();
      assertThat(trial.book.coverage())
          .extracting(RuleCoverage::state)
          .containsOnly(RuleState.ARMED);

      trial.gate.shut();
      assertThatThrownBy(() -> shapes.call("plain")).hasMessageContaining("first");
      assertThat(trial.otherGate.callsInFlight()).isZero();
    }
  }

  @Test
  void observingRuleRunsEveryCallAndCountsIt() throws Throwable {
    try (WeavingFixture trial =
        WeavingFixture.of(
            List.of(WeavingFixture.observing("watch", SHAPES + "#*(..)", Map.of())))) {
      Sample shapes = new SampleClassLoader().sample("Shapes");

      assertThat(shapes.call("secret")).isEqualTo(42);
      assertThat((CompletableFuture<?>) shapes.call("later", false)).isCompleted();

      assertThat(trial.coverage().mode()).isEqualTo("observe");
      assertThat(trial.coverage().observed()).isEqualTo(2);
      assertThat(trial.coverage().blocked()).isZero();
      assertThat(trial.coverage().passed()).isEqualTo(2);
      assertThat(trial.gate.callsInFlight()).isZero();
    }
  }

  @Test
  void weavingLoadsNoClassAndReadsNoOtherClassFile() throws Throwable {
    try (WeavingFixture trial = WeavingFixture.of(SHAPES + "#*(..)")) {
      SampleClassLoader loader = new SampleClassLoader();

      loader.loadClass(SHAPES);

      assertThat(trial.coverage().state()).isEqualTo(RuleState.ARMED);
      assertThat(loader.resourcesAsked).isEmpty();
      assertThat(loader.hasLoaded("Shapes$Unloaded")).isFalse();
      assertThat(loader.hasLoaded("Shapes$UnloadedParent")).isFalse();
    }
  }

  @Test
  void classWithoutANameFromItsLoaderIsGated() throws Throwable {
    try (WeavingFixture trial = WeavingFixture.of(SHAPES + "#secret()")) {
      SampleClassLoader loader = new SampleClassLoader();

      Class<?> type = loader.define(null, SampleClassLoader.classFile(SHAPES));

      assertThat(type.getName()).isEqualTo(SHAPES);
      assertThatThrownBy(() -> loader.sample("Shapes").call("secret"))
          .isInstanceOf(NotLeaderException.class);
      assertThat(trial.coverage().wovenMethods()).isEqualTo(1);
    }
  }

  @Test
  void classOfTheAgentsOwnLoaderIsNeverWoven() throws Throwable {
    try (WeavingFixture trial = WeavingFixture.of(SHAPES + "#secret()")) {
      SampleClassLoader own = new SampleClassLoader();
      Weaver weaver = new Weaver(trial.book, trial.failures::add, own::equals);

      byte[] woven =
          weaver.transform(
              null, own, SHAPES.replace('.', '/'), null, null, SampleClassLoader.classFile(SHAPES));

      assertThat(woven).isNull();
    }
  }

  @Test
  void canaryPassesWithTheWeaverAndFailsWithoutIt() {
    Canary canary;
    try (WeavingFixture trial = WeavingFixture.of(SHAPES + "#secret()")) {
      canary = trial.book.canary();

      canary.check();
      canary.checkCopied();

      assertThat(trial.book.coverage()).hasSize(1);
    }

    assertThatThrownBy(canary::checkCopied)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("ran although its gate was shut");

    assertThatThrownBy(canary::check)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("ran although its gate was shut");
  }

  @Test
  void byteBuddyLeavesNoPropertyBehind() {
    try (WeavingFixture trial = WeavingFixture.of(SHAPES + "#secret()")) {
      trial.book.canary().check();

      assertThat(System.getProperties().stringPropertyNames())
          .noneMatch(name -> name.startsWith("net.bytebuddy"));
    }
  }
}

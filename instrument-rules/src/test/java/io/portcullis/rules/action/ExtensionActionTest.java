package io.portcullis.rules.action;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.gate.NotLeaderException;
import io.portcullis.rules.SampleClassLoader;
import io.portcullis.rules.SampleClassLoader.Sample;
import io.portcullis.rules.WeavingFixture;
import io.portcullis.rules.coverage.RuleCoverage.RuleState;
import io.portcullis.rules.extension.RefusalAction;
import io.portcullis.rules.extension.RefusedMethod;
import io.portcullis.rules.plan.Rule;
import io.portcullis.rules.spec.RuleSpec;
import io.portcullis.rules.spec.RuleSpec.InvalidRuleException;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Refused calls with an action of an extension. */
class ExtensionActionTest {
  private static final String RETURNING = SampleClassLoader.SAMPLES + "Returning";

  private record Reply(
      Predicate<RefusedMethod> willing,
      BiFunction<RefusedMethod, NotLeaderException, @Nullable Object> reply)
      implements RefusalAction {
    @Override
    public String name() {
      return "reply";
    }

    @Override
    public boolean canAnswer(RefusedMethod method) {
      return willing.test(method);
    }

    @Override
    public @Nullable Object answer(RefusedMethod method, NotLeaderException refused) {
      return reply.apply(method, refused);
    }
  }

  private static Rule rule(String match, boolean recheck, RefusalAction action) {
    return Rule.of(
        new RuleSpec("r", match, "writer", "reply", Map.of("recheck", recheck), false),
        false,
        List.of(action));
  }

  private static WeavingFixture replying(
      String method,
      boolean recheck,
      BiFunction<RefusedMethod, NotLeaderException, @Nullable Object> reply) {
    Reply action = new Reply(any -> true, reply);
    return WeavingFixture.of(List.of(rule(RETURNING + "#" + method + "(..)", recheck, action)));
  }

  private static Object[] argumentsOf(String method) {
    return switch (method) {
      case "number" -> new Object[] {1, 2L};
      case "big" -> new Object[] {1L};
      case "precise" -> new Object[] {1.0};
      default -> new Object[0];
    };
  }

  private static int bodies(Sample sample) throws ReflectiveOperationException {
    Field counted = sample.type().getDeclaredField("bodies");
    counted.setAccessible(true);
    return counted.getInt(sample.instance());
  }

  static Stream<Arguments> fitting() {
    return Stream.of(
        Arguments.of("truth", true),
        Arguments.of("tiny", (byte) -7),
        Arguments.of("character", 'c'),
        Arguments.of("small", (short) 2),
        Arguments.of("number", 3),
        Arguments.of("big", 4L),
        Arguments.of("rough", 5f),
        Arguments.of("precise", 6.0),
        Arguments.of("text", "later"),
        Arguments.of("text", null),
        Arguments.of("list", List.of("later")),
        Arguments.of("mine", null),
        Arguments.of("later", CompletableFuture.completedFuture("later")),
        Arguments.of("later", null),
        Arguments.of("locked", "later"));
  }

  @ParameterizedTest
  @MethodSource("fitting")
  void refusedCallReturnsTheExtensionsResult(String method, @Nullable Object answer)
      throws Throwable {
    for (boolean recheck : new boolean[] {false, true}) {
      try (WeavingFixture trial = replying(method, recheck, (asked, refused) -> answer)) {
        Sample sample = new SampleClassLoader().sample("Returning");

        assertThat(sample.call(method, argumentsOf(method))).isEqualTo(answer);
        assertThat(trial.coverage().state()).isEqualTo(RuleState.ARMED);
        assertThat(bodies(sample)).isZero();
        assertThat(trial.gate.callsInFlight()).isZero();

        trial.open();
        assertThat(sample.call(method, argumentsOf(method))).isNotEqualTo(answer);
        assertThat(trial.gate.callsInFlight()).isZero();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void voidMethodCallsTheExtensionAndIgnoresItsResult(boolean recheck) throws Throwable {
    List<RefusedMethod> asked = new ArrayList<>();
    try (WeavingFixture trial =
        replying(
            "nothing",
            recheck,
            (method, refused) -> {
              asked.add(method);
              return "ignored";
            })) {
      Sample sample = new SampleClassLoader().sample("Returning");
      sample.call("nothing");

      assertThat(asked).containsExactly(new RefusedMethod(RETURNING, "nothing", List.of(), "void"));
      assertThat(bodies(sample)).isZero();
      assertThat(trial.coverage().blocked()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"nothing", "number", "text", "later", "locked"})
  void exceptionOfTheExtensionReachesTheCaller(String method) throws Throwable {
    for (boolean recheck : new boolean[] {false, true}) {
      try (WeavingFixture trial =
          replying(
              method,
              recheck,
              (asked, refused) -> {
                throw new UnsupportedOperationException(refused.rule() + " " + asked.name());
              })) {
        Sample sample = new SampleClassLoader().sample("Returning");

        assertThatThrownBy(() -> sample.call(method, argumentsOf(method)))
            .isInstanceOf(UnsupportedOperationException.class)
            .hasMessage("r " + method);
        assertThat(bodies(sample)).isZero();
        assertThat(trial.gate.callsInFlight()).isZero();
      }
    }
  }

  static Stream<Arguments> misfits() {
    return Stream.of(
        Arguments.of("number", null, IllegalStateException.class),
        Arguments.of("number", 3L, IllegalStateException.class),
        Arguments.of("truth", "true", IllegalStateException.class),
        Arguments.of("text", 3, ClassCastException.class),
        Arguments.of("mine", "mine", ClassCastException.class),
        Arguments.of("later", "now", ClassCastException.class));
  }

  @ParameterizedTest
  @MethodSource("misfits")
  void resultOfAnotherTypeIsAnExceptionAndTheBodyIsSkipped(
      String method, @Nullable Object answer, Class<?> thrown) throws Throwable {
    for (boolean recheck : new boolean[] {false, true}) {
      try (WeavingFixture trial = replying(method, recheck, (asked, refused) -> answer)) {
        Sample sample = new SampleClassLoader().sample("Returning");

        assertThatThrownBy(() -> sample.call(method, argumentsOf(method))).isInstanceOf(thrown);
        assertThat(bodies(sample)).isZero();
        assertThat(trial.gate.callsInFlight()).isZero();
      }
    }
  }

  @Test
  void methodWithoutAResultFromTheExtensionIsAWeaveError() throws Throwable {
    Reply action = new Reply(method -> method.returnType().equals("int"), (asked, refused) -> 1);
    try (WeavingFixture trial =
        WeavingFixture.of(List.of(rule(RETURNING + "#text()", false, action)))) {
      new SampleClassLoader().sample("Returning");

      assertThat(trial.failures).hasSize(1);
      assertThat(trial.failures.peek().toString()).contains("reply", "no result", "text()");
    }
  }

  @Test
  void extensionThatFailsAtWeavingIsAWeaveError() throws Throwable {
    Reply action =
        new Reply(
            method -> {
              throw new NoClassDefFoundError("com/acme/Gone");
            },
            (asked, refused) -> 1);
    try (WeavingFixture trial =
        WeavingFixture.of(List.of(rule(RETURNING + "#text()", false, action)))) {
      new SampleClassLoader().sample("Returning");

      assertThat(trial.failures).hasSize(1);
      assertThat(trial.failures.peek().toString()).contains("reply", "com/acme/Gone");
    }
  }

  @Test
  void constructorsAndUnknownOptionsAndNamesAreRefused() {
    Reply action = new Reply(any -> true, (asked, refused) -> null);

    assertThatThrownBy(() -> rule(RETURNING + "#new()", false, action))
        .isInstanceOf(InvalidRuleException.class)
        .hasMessageContaining("constructor");
    assertThatThrownBy(
            () ->
                Rule.of(
                    new RuleSpec("r", "a.B#c()", "writer", "reply", Map.of("value", 1), false),
                    false,
                    List.of(action)))
        .isInstanceOf(InvalidRuleException.class)
        .hasMessageContaining("interrupt, recheck");
    assertThatThrownBy(
            () ->
                Rule.of(
                    new RuleSpec("r", "a.B#c()", "writer", "replay", Map.of(), false),
                    false,
                    List.of(action)))
        .isInstanceOf(InvalidRuleException.class)
        .hasMessageContaining("reply, return, skip, throw, wait");
  }
}

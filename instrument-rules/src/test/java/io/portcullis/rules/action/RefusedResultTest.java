package io.portcullis.rules.action;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.rules.SampleClassLoader;
import io.portcullis.rules.SampleClassLoader.Sample;
import io.portcullis.rules.WeavingFixture;
import io.portcullis.rules.coverage.RuleCoverage.RuleState;
import io.portcullis.rules.plan.Rule;
import io.portcullis.rules.spec.RuleSpec;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.stream.BaseStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Results of refused calls with the actions skip and return, without and with recheck. */
class RefusedResultTest {
  private static final String RETURNING = SampleClassLoader.SAMPLES + "Returning";

  private static Arguments value(@Nullable Object value, String method, @Nullable Object expected) {
    return Arguments.of(value, method, expected);
  }

  static Stream<Arguments> fitting() {
    return Stream.of(
        value(true, "truth", true),
        value(true, "boxedTruth", true),
        value(-5, "tiny", (byte) -5),
        value("x", "character", 'x'),
        value(300, "small", (short) 300),
        value(70_000, "number", 70_000),
        value(2.0, "number", 2),
        value(5, "big", 5L),
        value(1L << 40, "big", 1L << 40),
        value(0.1, "rough", 0.1f),
        value(7, "precise", 7.0),
        value(2.5, "precise", 2.5),
        value(7, "boxed", 7L),
        value("none", "text", "none"),
        value("none", "anything", "none"),
        value(true, "anything", true),
        value(null, "text", null),
        value(null, "anything", null),
        value(null, "mine", null),
        value(null, "boxed", null),
        value(null, "mines", null),
        value(null, "table", null),
        value("none", "locked", "none"),
        value(null, "chosen", null));
  }

  @ParameterizedTest
  @MethodSource("fitting")
  void refusedCallReturnsTheValueInTheMethodsType(
      @Nullable Object value, String method, @Nullable Object expected) throws Throwable {
    for (boolean recheck : new boolean[] {false, true}) {
      try (WeavingFixture trial = returning(value, method, recheck)) {
        Sample sample = new SampleClassLoader().sample("Returning");
        Object[] arguments = argumentsOf(method);

        assertThat(sample.call(method, arguments)).isEqualTo(expected);
        assertThat(trial.coverage().state()).isEqualTo(RuleState.ARMED);
        assertThat(trial.gate.callsInFlight()).isZero();

        trial.open();
        Object ran = sample.call(method, arguments);
        if (expected == null) {
          assertThat(ran).isNotNull();
        } else {
          assertThat(ran).isNotEqualTo(expected);
        }
        assertThat(trial.gate.callsInFlight()).isZero();
        assertThat(trial.coverage().passed()).isEqualTo(1);
      }
    }
  }

  static Stream<Arguments> misfits() {
    return Stream.of(
        value(128, "tiny", "byte"),
        value(40_000, "small", "short"),
        value(2.5, "number", "int"),
        value(1L << 40, "number", "int"),
        value(16_777_217, "rough", "float"),
        value(9_007_199_254_740_993L, "precise", "double"),
        value(1e300, "rough", "float"),
        value(1, "truth", "boolean"),
        value(true, "number", "int"),
        value("5", "number", "int"),
        value(5, "text", "java.lang.String"),
        value(5, "anything", "java.lang.Object"),
        value("xy", "character", "char"),
        value("x", "mine", "io.portcullis.rules.sample.Returning$Mine"),
        value(null, "number", "int"),
        value(null, "truth", "boolean"),
        value(5, "later", "java.util.concurrent.CompletableFuture"),
        value(null, "nothing", "void"));
  }

  @ParameterizedTest
  @MethodSource("misfits")
  void valueThatDoesNotFitTheTypeIsAWeaveError(@Nullable Object value, String method, String type)
      throws Throwable {
    try (WeavingFixture trial = returning(value, method, false)) {
      new SampleClassLoader().sample("Returning");

      assertThat(trial.failures).hasSize(1);
      assertThat(trial.failures.peek().toString()).contains("Returning#" + method + "(");
      if (!type.equals("void")) {
        assertThat(trial.failures.peek().toString())
            .contains("which returns " + type)
            .contains(value instanceof String ? "\"" + value + "\"" : String.valueOf(value));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void refusedCallReturnsTheEmptyValueOfItsType(boolean recheck) throws Throwable {
    List<String> methods =
        List.of(
            "list",
            "set",
            "collection",
            "iterable",
            "map",
            "optional",
            "optionalInt",
            "iterator",
            "stream",
            "intStream",
            "numbers",
            "table",
            "mines");
    try (WeavingFixture trial =
        WeavingFixture.of(methods.stream().map(name -> empty(name, recheck)).toList())) {
      Sample sample = new SampleClassLoader().sample("Returning");

      assertThat(trial.failures).isEmpty();
      for (String method : methods.subList(0, 4)) {
        assertThat((Collection<?>) sample.call(method)).as(method).isEmpty();
      }
      assertThat(sample.call("map")).isEqualTo(Map.of());
      assertThat(sample.call("optional")).isEqualTo(Optional.empty());
      assertThat(sample.call("optionalInt")).isEqualTo(OptionalInt.empty());
      for (String method : List.of("stream", "intStream")) {
        Object stream = Objects.requireNonNull(sample.call(method));
        assertThat(((BaseStream<?, ?>) stream).iterator().hasNext()).isFalse();
      }
      Object iterator = Objects.requireNonNull(sample.call("iterator"));
      assertThat(((Iterator<?>) iterator).hasNext()).isFalse();
      assertThat(sample.call("numbers")).isEqualTo(new int[0]);
      assertThat(sample.call("table")).isEqualTo(new long[0][]);
      Object mines = Objects.requireNonNull(sample.call("mines"));
      assertThat((Object[]) mines).isEmpty();
      assertThat(mines.getClass())
          .isEqualTo(sample.type().getDeclaredMethod("mines").getReturnType());
    }
  }

  private static Rule empty(String method, boolean recheck) {
    return Rule.of(
        new RuleSpec(
            method,
            RETURNING + "#" + method + "()",
            "writer",
            "return",
            Map.of("empty", true, "recheck", recheck),
            false),
        false);
  }

  @ParameterizedTest
  @ValueSource(strings = {"concreteList", "text", "number", "later", "nothing", "mine"})
  void typeWithoutAKnownEmptyValueIsAWeaveError(String method) throws Throwable {
    try (WeavingFixture trial =
        WeavingFixture.acting("return", RETURNING + "#" + method + "(..)", Map.of("empty", true))) {
      new SampleClassLoader().sample("Returning");

      assertThat(trial.failures).hasSize(1);
      assertThat(trial.failures.peek().toString()).contains("Returning#" + method + "(");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void refusedCallOfAVoidMethodIsSkipped(boolean recheck) throws Throwable {
    try (WeavingFixture trial =
        WeavingFixture.acting("skip", RETURNING + "#nothing()", Map.of("recheck", recheck))) {
      Sample sample = new SampleClassLoader().sample("Returning");

      sample.call("nothing");
      assertThat(bodies(sample)).isZero();
      assertThat(trial.coverage().blocked()).isEqualTo(1);

      trial.open();
      sample.call("nothing");
      assertThat(bodies(sample)).isEqualTo(1);
      assertThat(trial.coverage().passed()).isEqualTo(1);
      assertThat(trial.gate.callsInFlight()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"number", "text", "later", "list"})
  void methodThatReturnsSomethingCannotBeSkipped(String method) throws Throwable {
    try (WeavingFixture trial =
        WeavingFixture.acting("skip", RETURNING + "#" + method + "(..)", Map.of())) {
      new SampleClassLoader().sample("Returning");

      assertThat(trial.failures).hasSize(1);
      assertThat(trial.failures.peek().toString())
          .contains("only void methods can be skipped")
          .contains("Returning#" + method + "(");
    }
  }

  @Test
  void refusedAsynchronousCallGetsASucceededFuture() throws Throwable {
    for (boolean recheck : new boolean[] {false, true}) {
      try (WeavingFixture trial =
          WeavingFixture.acting("return", RETURNING + "#later()", valueAnd("none", recheck))) {
        Sample sample = new SampleClassLoader().sample("Returning");

        assertThat(sample.future("later").join()).isEqualTo("none");
        assertThat(bodies(sample)).isZero();
        assertThat(trial.gate.callsInFlight()).isZero();
      }
      try (WeavingFixture trial =
          WeavingFixture.acting("return", RETURNING + "#staged(..)", valueAnd(null, recheck))) {
        Sample sample = new SampleClassLoader().sample("Returning");
        CompletableFuture<String> pending = new CompletableFuture<>();

        assertThat(sample.future("staged", pending).join()).isNull();

        trial.open();
        CompletableFuture<?> let = sample.future("staged", pending);
        assertThat(trial.gate.callsInFlight()).isEqualTo(1);
        pending.complete("done");
        assertThat(let.join()).isEqualTo("done");
        assertThat(trial.gate.callsInFlight()).isZero();
      }
    }
  }

  private static WeavingFixture returning(@Nullable Object value, String method, boolean recheck) {
    return WeavingFixture.acting(
        "return", RETURNING + "#" + method + "(..)", valueAnd(value, recheck));
  }

  private static Map<String, @Nullable Object> valueAnd(@Nullable Object value, boolean recheck) {
    Map<String, @Nullable Object> options = new HashMap<>(Collections.singletonMap("value", value));
    options.put("recheck", recheck);
    return options;
  }

  private static Object[] argumentsOf(String method) {
    return switch (method) {
      case "number" -> new Object[] {1, 2L};
      case "big" -> new Object[] {3L};
      case "precise" -> new Object[] {4.0};
      case "chosen" -> new Object[] {true};
      default -> new Object[0];
    };
  }

  private static int bodies(Sample sample) throws ReflectiveOperationException {
    var field = sample.type().getDeclaredField("bodies");
    field.setAccessible(true);
    return field.getInt(sample.instance());
  }
}

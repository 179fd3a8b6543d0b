package io.portcullis.rules.action;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.gate.LeadershipLostException;
import io.portcullis.gate.NotLeaderException;
import io.portcullis.rules.SampleClassLoader;
import io.portcullis.rules.SampleClassLoader.Sample;
import io.portcullis.rules.WeavingFixture;
import io.portcullis.rules.plan.Rule;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A call never ends normally under an epoch that was lost meanwhile. */
class RecheckTest {
  private static final String CALLABLE_RUNNER = SampleClassLoader.SAMPLES + "CallableRunner";

  static Stream<Arguments> actions() {
    return Stream.of(
        Arguments.of("throw", "call", Map.of()),
        Arguments.of("throw", "run", Map.of()),
        Arguments.of("throw", "count", Map.of()),
        Arguments.of("throw", "locked", Map.of()),
        Arguments.of("throw", "call", Map.of("exception", "java.lang.IllegalStateException")),
        Arguments.of("throw", "call", Map.of("interrupt", true)),
        Arguments.of("skip", "run", Map.of()),
        Arguments.of("return", "count", Map.of("value", 5)),
        Arguments.of("return", "call", Map.of("value", "none")),
        Arguments.of("wait", "call", Map.of("timeout", Duration.ofMillis(1))),
        Arguments.of("wait", "run", Map.of("timeout", Duration.ofMillis(1))));
  }

  @ParameterizedTest
  @MethodSource("actions")
  void callThatLostItsEpochThrows(String action, String method, Map<String, Object> options)
      throws Throwable {
    try (WeavingFixture trial = rechecking(action, method, options)) {
      Sample sample = new SampleClassLoader().sample("CallableRunner");
      trial.gate.open(7, farAway());
      Callable<Integer> losing =
          () -> {
            trial.gate.shut();
            return 1;
          };

      assertThatThrownBy(() -> sample.call(method, losing))
          .isInstanceOfSatisfying(
              LeadershipLostException.class,
              lost -> {
                assertThat(lost.election()).isEqualTo("writer");
                assertThat(lost.rule()).isEqualTo("acting");
                assertThat(lost.epoch()).isEqualTo(7);
              });
      assertThat(trial.gate.callsInFlight()).isZero();
      assertThat(trial.coverage().passed()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @MethodSource("actions")
  void failedCallThrowsItsOwnException(String action, String method, Map<String, Object> options)
      throws Throwable {
    try (WeavingFixture trial = rechecking(action, method, options)) {
      Sample sample = new SampleClassLoader().sample("CallableRunner");
      trial.gate.open(7, farAway());
      Callable<Integer> failing =
          () -> {
            trial.gate.shut();
            throw new UnsupportedOperationException("its own");
          };

      assertThatThrownBy(() -> sample.call(method, failing))
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessage("its own")
          .hasNoSuppressedExceptions();
      assertThat(trial.gate.callsInFlight()).isZero();
    }
  }

  @ParameterizedTest
  @MethodSource("actions")
  void callUnderARenewedEpochEndsNormally(String action, String method, Map<String, Object> options)
      throws Throwable {
    try (WeavingFixture trial = rechecking(action, method, options)) {
      Sample sample = new SampleClassLoader().sample("CallableRunner");
      trial.gate.open(7, farAway());
      Callable<Integer> renewing =
          () -> {
            trial.gate.open(7, farAway());
            return 1;
          };

      Object result = sample.call(method, renewing);

      assertThat(result).isEqualTo(method.equals("run") ? null : 1);
      assertThat(trial.gate.callsInFlight()).isZero();
    }
  }

  @Test
  void reelectedNodeHasLostTheEpochOfTheCall() throws Throwable {
    try (WeavingFixture trial = rechecking("throw", "call", Map.of())) {
      Sample sample = new SampleClassLoader().sample("CallableRunner");
      trial.gate.open(7, farAway());
      Callable<Integer> again =
          () -> {
            trial.gate.shut();
            trial.gate.open(8, farAway());
            return 1;
          };

      assertThatThrownBy(() -> sample.call("call", again))
          .isInstanceOf(LeadershipLostException.class);
    }
  }

  @Test
  void nestedCallIsCheckedAgainstItsOwnEpoch() throws Throwable {
    try (WeavingFixture trial = rechecking("throw", "*", Map.of())) {
      Sample sample = new SampleClassLoader().sample("CallableRunner");
      trial.gate.open(7, farAway());
      Callable<Object> inner =
          () -> {
            trial.gate.open(8, farAway());
            try {
              return sample.call("count", (Callable<Integer>) () -> 1);
            } catch (Throwable e) {
              throw new AssertionError("entered and ended under epoch 8", e);
            }
          };

      assertThatThrownBy(() -> sample.call("run", inner))
          .isInstanceOfSatisfying(
              LeadershipLostException.class, lost -> assertThat(lost.epoch()).isEqualTo(7));
      assertThat(trial.gate.callsInFlight()).isZero();
    }
  }

  @Test
  void staticMethodWithWideParametersIsRechecked() throws Throwable {
    try (WeavingFixture trial = rechecking("throw", "fixed", Map.of())) {
      Sample sample = new SampleClassLoader().sample("CallableRunner");
      trial.gate.open(7, farAway());
      Callable<Long> losing =
          () -> {
            trial.gate.shut();
            return 2L;
          };

      assertThat(sample.call("fixed", (Callable<Long>) () -> 2L, 3L)).isEqualTo(6L);
      assertThatThrownBy(() -> sample.call("fixed", losing, 3L))
          .isInstanceOf(LeadershipLostException.class);
      assertThatThrownBy(() -> sample.call("fixed", losing, 3L))
          .isInstanceOf(NotLeaderException.class);
    }
  }

  @Test
  void observingRuleNeverThrows() throws Throwable {
    Rule observing =
        WeavingFixture.observing("observing", CALLABLE_RUNNER + "#*(..)", Map.of("recheck", true));
    try (WeavingFixture trial = WeavingFixture.of(List.of(observing))) {
      Sample sample = new SampleClassLoader().sample("CallableRunner");
      trial.gate.open(7, farAway());
      Callable<Integer> losing =
          () -> {
            trial.gate.shut();
            return 1;
          };

      assertThat(sample.call("count", losing)).isEqualTo(1);
      assertThat(sample.call("count", losing)).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"throw", "own", "return", "wait"})
  void futureThatSucceedsUnderALostEpochFails(String action) throws Throwable {
    try (WeavingFixture trial =
        rechecking(action.equals("own") ? "throw" : action, "*", futures(action))) {
      Sample sample = new SampleClassLoader().sample("CallableRunner");
      trial.gate.open(7, farAway());
      CompletableFuture<Object> pending = new CompletableFuture<>();
      CompletableFuture<Object> behind = new CompletableFuture<>();

      CompletableFuture<?> future = sample.future("future", pending);
      CompletableFuture<?> stage = sample.future("stage", behind.minimalCompletionStage());
      trial.gate.shut();
      assertThat(trial.gate.callsInFlight()).isEqualTo(2);
      pending.complete("done");
      behind.complete("done");

      for (CompletableFuture<?> seen : List.of(future, stage)) {
        assertThat(seen)
            .isCompletedExceptionally()
            .failsWithin(Duration.ofSeconds(1))
            .withThrowableThat()
            .withCauseInstanceOf(LeadershipLostException.class);
      }
      assertThat(trial.gate.callsInFlight()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"throw", "own", "return", "wait"})
  void futureThatEndsUnderItsEpochSucceeds(String action) throws Throwable {
    try (WeavingFixture trial =
        rechecking(action.equals("own") ? "throw" : action, "*", futures(action))) {
      Sample sample = new SampleClassLoader().sample("CallableRunner");
      trial.gate.open(7, farAway());
      CompletableFuture<Object> done = CompletableFuture.completedFuture("done");
      CompletableFuture<Object> pending = new CompletableFuture<>();

      assertThat(sample.call("future", done)).isSameAs(done);
      CompletableFuture<?> future = sample.future("stage", pending);
      pending.complete("later");

      assertThat(future.join()).isEqualTo("later");
      assertThat(trial.gate.callsInFlight()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"throw", "own", "return", "wait"})
  void refusedAsynchronousCallGetsACompletedFuture(String action) throws Throwable {
    try (WeavingFixture trial =
        rechecking(action.equals("own") ? "throw" : action, "*", futures(action))) {
      Sample sample = new SampleClassLoader().sample("CallableRunner");
      CompletableFuture<Object> never = new CompletableFuture<>();

      CompletableFuture<?> refused = sample.future("stage", never);

      assertThat(refused).isDone();
      assertThat(refused.isCompletedExceptionally()).isEqualTo(!action.equals("return"));
      assertThat(trial.gate.callsInFlight()).isZero();
    }
  }

  private static Map<String, Object> futures(String action) {
    return switch (action) {
      case "own" -> Map.of("exception", "java.lang.IllegalStateException");
      case "return" -> Map.of("value", "none");
      case "wait" -> Map.of("timeout", Duration.ofMillis(1));
      default -> Map.of();
    };
  }

  /** With a wildcard, only methods that return a future: the others may not fit. */
  private static WeavingFixture rechecking(
      String action, String method, Map<String, Object> options) {
    Map<String, @Nullable Object> all = new HashMap<>(options);
    all.put("recheck", true);
    String name = method.equals("*") && !action.equals("throw") ? "*t*e" : method;
    return WeavingFixture.acting(action, CALLABLE_RUNNER + "#" + name + "(..)", all);
  }

  private static long farAway() {
    return System.nanoTime() + Duration.ofHours(1).toNanos();
  }
}

package io.portcullis.rules.action;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.rules.SampleClassLoader;
import io.portcullis.rules.SampleClassLoader.Sample;
import io.portcullis.rules.WeavingFixture;
import io.portcullis.rules.plan.Rule;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A call that returns a future is in flight until the future is complete. */
class AsynchronousCallTest {
  private static final String ASYNCHRONOUS = SampleClassLoader.SAMPLES + "Asynchronous";

  static Stream<Consumer<CompletableFuture<Object>>> endings() {
    return Stream.of(
        future -> future.complete("done"),
        future -> future.completeExceptionally(new IllegalStateException("broken")),
        future -> future.completeExceptionally(new CancellationException()),
        future -> future.cancel(true));
  }

  @ParameterizedTest
  @MethodSource("endings")
  void callIsInFlightUntilItsFutureIsComplete(Consumer<CompletableFuture<Object>> ending)
      throws Throwable {
    try (WeavingFixture trial = WeavingFixture.of(ASYNCHRONOUS + "#*(..)")) {
      Sample sample = new SampleClassLoader().sample("Asynchronous");
      trial.open();

      CompletableFuture<Object> future = new CompletableFuture<>();
      assertThat(sample.call("future", future)).isSameAs(future);
      CompletableFuture<Object> behind = new CompletableFuture<>();
      Object stage = behind.minimalCompletionStage();
      assertThat(sample.call("stage", stage)).isSameAs(stage);

      trial.gate.shut();
      assertThat(trial.gate.callsInFlight()).isEqualTo(2);
      ending.accept(future);
      assertThat(trial.gate.callsInFlight()).isEqualTo(1);
      ending.accept(behind);
      assertThat(trial.gate.callsInFlight()).isZero();
      assertThat(trial.coverage().passed()).isEqualTo(2);
    }
  }

  @Test
  void callIsInFlightUntilItsFutureIsComplete() throws Throwable {
    Rule rule =
        WeavingFixture.rule(
            "own",
            ASYNCHRONOUS + "#future(..)",
            Map.of("exception", "java.lang.UnsupportedOperationException"));
    try (WeavingFixture trial = WeavingFixture.of(List.of(rule))) {
      Sample sample = new SampleClassLoader().sample("Asynchronous");
      trial.open();
      CompletableFuture<Object> future = new CompletableFuture<>();

      assertThat(sample.call("future", future)).isSameAs(future);

      assertThat(trial.gate.callsInFlight()).isEqualTo(1);
      future.complete("done");
      assertThat(trial.gate.callsInFlight()).isZero();
    }
  }

  @Test
  void completedFutureEndsTheCallAtOnce() throws Throwable {
    try (WeavingFixture trial = WeavingFixture.of(ASYNCHRONOUS + "#*(..)")) {
      Sample sample = new SampleClassLoader().sample("Asynchronous");
      trial.open();

      sample.call("future", CompletableFuture.completedFuture("done"));
      sample.call("stage", CompletableFuture.completedStage("done"));
      sample.call("stage", CompletableFuture.failedStage(new IllegalStateException("broken")));

      assertThat(trial.gate.callsInFlight()).isZero();
      assertThat(trial.coverage().passed()).isEqualTo(3);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"future", "stage"})
  @SuppressWarnings("NullAway") // The tested case.
  void callThatReturnsNullInsteadOfAFutureEndsAtOnce(String method) throws Throwable {
    try (WeavingFixture trial = WeavingFixture.of(ASYNCHRONOUS + "#*(..)")) {
      Sample sample = new SampleClassLoader().sample("Asynchronous");
      trial.open();

      assertThat(sample.call(method, (Object) null)).isNull();

      assertThat(trial.gate.callsInFlight()).isZero();
    }
  }

  @Test
  void futureReturnedAsAnotherTypeIsNotWaitedFor() throws Throwable {
    try (WeavingFixture trial = WeavingFixture.of(ASYNCHRONOUS + "#plain(..)")) {
      Sample sample = new SampleClassLoader().sample("Asynchronous");
      trial.open();

      sample.call("plain", new CompletableFuture<>());

      assertThat(trial.gate.callsInFlight()).isZero();
    }
  }
}

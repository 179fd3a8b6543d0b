package io.portcullis.rules.action;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.gate.LeadershipLostException;
import io.portcullis.rules.SampleClassLoader;
import io.portcullis.rules.SampleClassLoader.Sample;
import io.portcullis.rules.WeavingFixture;
import io.portcullis.rules.plan.Rule;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(600)
class InterruptInsideTest {
  private static final String CALLABLE_RUNNER = SampleClassLoader.SAMPLES + "CallableRunner";

  @Test
  void threadInsideIsInterruptedWhenLeadershipIsLost() throws Throwable {
    try (WeavingFixture trial =
        WeavingFixture.acting("throw", CALLABLE_RUNNER + "#*(..)", Map.of("interrupt", true))) {
      Sample sample = new SampleClassLoader().sample("CallableRunner");
      trial.open();
      Callable<Object> losing =
          () -> {
            trial.gate.shut();
            trial.gate.abandonCalls();
            return new CountDownLatch(1).await(120, TimeUnit.SECONDS);
          };

      assertThatThrownBy(() -> sample.call("nested", losing))
          .isInstanceOf(InterruptedException.class);

      assertThat(Thread.currentThread().isInterrupted()).isFalse();
      assertThat(trial.gate.callsInFlight()).isZero();
    }
  }

  @Test
  void recheckFindsALossDespiteASwallowedInterrupt() throws Throwable {
    try (WeavingFixture trial =
        WeavingFixture.acting(
            "skip", CALLABLE_RUNNER + "#run(..)", Map.of("interrupt", true, "recheck", true))) {
      Sample sample = new SampleClassLoader().sample("CallableRunner");
      trial.open();
      Callable<Object> swallowing =
          () -> {
            trial.gate.shut();
            trial.gate.abandonCalls();
            try {
              new CountDownLatch(1).await(120, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
            return "done";
          };

      assertThatThrownBy(() -> sample.call("run", swallowing))
          .isInstanceOf(LeadershipLostException.class);

      assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }
  }

  @Test
  void callThatReturnedItsFutureIsNotInterrupted() throws Throwable {
    try (WeavingFixture trial =
        WeavingFixture.acting("throw", CALLABLE_RUNNER + "#*(..)", Map.of("interrupt", true))) {
      Sample sample = new SampleClassLoader().sample("CallableRunner");
      trial.open();
      CompletableFuture<Object> pending = new CompletableFuture<>();

      assertThat(sample.call("future", pending)).isSameAs(pending);
      trial.gate.shut();
      trial.gate.abandonCalls();

      assertThat(Thread.currentThread().isInterrupted()).isFalse();
      assertThat(trial.gate.callsInFlight()).isEqualTo(1);
      pending.complete("done");
      assertThat(trial.gate.callsInFlight()).isZero();
    }
  }

  @Test
  void observingRuleInterruptsNoThread() throws Throwable {
    Rule observing =
        WeavingFixture.observing(
            "observing", CALLABLE_RUNNER + "#*(..)", Map.of("interrupt", true));
    try (WeavingFixture trial = WeavingFixture.of(List.of(observing))) {
      Sample sample = new SampleClassLoader().sample("CallableRunner");
      trial.open();
      Callable<Object> losing =
          () -> {
            trial.gate.shut();
            trial.gate.abandonCalls();
            return new CountDownLatch(1).await(100, TimeUnit.MILLISECONDS);
          };

      assertThat(sample.call("call", losing)).isEqualTo(false);
    }
  }
}

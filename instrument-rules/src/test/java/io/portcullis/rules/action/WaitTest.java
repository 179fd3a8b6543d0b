package io.portcullis.rules.action;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.gate.NotLeaderException;
import io.portcullis.rules.SampleClassLoader;
import io.portcullis.rules.SampleClassLoader.Sample;
import io.portcullis.rules.WeavingFixture;
import io.portcullis.rules.coverage.InstalledRule;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(600)
class WaitTest {
  private static final String CALLABLE_RUNNER = SampleClassLoader.SAMPLES + "CallableRunner";
  private static final Duration LONG = Duration.ofMinutes(10);
  private static final Duration SHORT = Duration.ofMillis(50);

  private final CompletableFuture<Object> outcome = new CompletableFuture<>();

  @Test
  void waitingCallRunsOnceTheGateOpens() throws Throwable {
    try (WeavingFixture trial = waiting("call", LONG)) {
      Sample sample = new SampleClassLoader().sample("CallableRunner");
      awaitWaiting(start(sample));
      assertThat(trial.gate.callsInFlight()).isZero();

      trial.open();

      assertThat(outcome.get(120, TimeUnit.SECONDS)).isEqualTo("ran");
      assertThat(trial.gate.callsInFlight()).isZero();
      assertThat(trial.coverage().blocked()).isEqualTo(1);
      assertThat(trial.coverage().passed()).isEqualTo(1);
    }
  }

  @Test
  void callWhoseWaitTimesOutThrows() throws Throwable {
    try (WeavingFixture trial = waiting("call", SHORT)) {
      Sample sample = new SampleClassLoader().sample("CallableRunner");
      long before = System.nanoTime();

      assertThatThrownBy(() -> sample.call("call", (Callable<?>) () -> "ran"))
          .isInstanceOf(NotLeaderException.class);

      assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThanOrEqualTo(SHORT);
      assertThat(trial.gate.callsInFlight()).isZero();
    }
  }

  /** As after a wake-up by an opening that was over when the call checked the gate again. */
  @Test
  void waitIsMeasuredFromTheFirstRefusal() {
    try (WeavingFixture trial = waiting("call", LONG)) {
      InstalledRule rule = trial.book.toWeave().get(0);
      long longAgo = System.nanoTime() - LONG.toNanos();

      assertThatThrownBy(() -> rule.rule().action().refusal().refuse(rule.checkpoint(), longAgo))
          .isInstanceOf(NotLeaderException.class);
      assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }
  }

  /** The opening wakes the call, but its permit expires before the call checks the gate. */
  @Test
  void gateThatOpensTooLateAdmitsNoCall() throws Throwable {
    try (WeavingFixture trial = waiting("call", SHORT)) {
      Sample sample = new SampleClassLoader().sample("CallableRunner");
      long before = System.nanoTime();
      Thread caller = start(sample);

      while (caller.isAlive()) {
        trial.gate.open(1, System.nanoTime() - 1);
      }

      assertThat(outcome.get(120, TimeUnit.SECONDS)).isInstanceOf(NotLeaderException.class);
      assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThanOrEqualTo(SHORT);
    }
  }

  @Test
  void interruptEndsTheWaitAndTheThreadStaysInterrupted() throws Throwable {
    try (WeavingFixture trial = waiting("call", LONG)) {
      Sample sample = new SampleClassLoader().sample("CallableRunner");
      CompletableFuture<Boolean> flag = new CompletableFuture<>();
      Thread caller =
          start(
              sample,
              () -> {
                boolean set = Thread.currentThread().isInterrupted();
                flag.complete(set);
              });
      awaitWaiting(caller);

      caller.interrupt();

      assertThat(outcome.get(120, TimeUnit.SECONDS)).isInstanceOf(NotLeaderException.class);
      assertThat(flag.get(120, TimeUnit.SECONDS)).isTrue();
      assertThat(trial.gate.callsInFlight()).isZero();
    }
  }

  @Test
  void noCallWaitsForANodeThatLeaves() throws Throwable {
    try (WeavingFixture trial = waiting("call", LONG)) {
      Sample sample = new SampleClassLoader().sample("CallableRunner");
      awaitWaiting(start(sample));

      trial.gate.endWaiting();

      assertThat(outcome.get(120, TimeUnit.SECONDS)).isInstanceOf(NotLeaderException.class);
    }
  }

  @Test
  void asynchronousCallWaitsTooAndGetsAFailedFuture() throws Throwable {
    try (WeavingFixture trial = waiting("*t*e", SHORT)) {
      Sample sample = new SampleClassLoader().sample("CallableRunner");
      long before = System.nanoTime();

      CompletableFuture<?> stage = sample.future("stage", new CompletableFuture<Object>());

      assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThanOrEqualTo(SHORT);
      assertThat(stage).isCompletedExceptionally();
      assertThat(trial.gate.callsInFlight()).isZero();
    }
  }

  @Test
  void waitCanThrowAnExceptionOfTheApplication() throws Throwable {
    try (WeavingFixture trial =
        WeavingFixture.acting(
            "wait",
            CALLABLE_RUNNER + "#call(..)",
            Map.of("timeout", SHORT, "exception", "java.lang.UnsupportedOperationException"))) {
      Sample sample = new SampleClassLoader().sample("CallableRunner");

      assertThatThrownBy(() -> sample.call("call", (Callable<?>) () -> "ran"))
          .isInstanceOf(UnsupportedOperationException.class);
      trial.open();
      assertThat(sample.call("call", (Callable<?>) () -> "ran")).isEqualTo("ran");
    }
  }

  @Test
  void synchronizedMethodCannotWaitBecauseOfItsMonitor() throws Throwable {
    try (WeavingFixture trial = waiting("locked", LONG)) {
      Sample sample = new SampleClassLoader().sample("CallableRunner");

      assertThat(trial.failures).hasSize(1);
      assertThat(trial.failures.peek().toString())
          .contains("CallableRunner#locked(java.util.concurrent.Callable) is synchronized");
      assertThatThrownBy(() -> sample.call("locked", (Callable<?>) () -> "ran"))
          .hasMessageContaining("could not be gated");
    }
  }

  private static WeavingFixture waiting(String method, Duration timeout) {
    return WeavingFixture.acting(
        "wait", CALLABLE_RUNNER + "#" + method + "(..)", Map.of("timeout", timeout));
  }

  private Thread start(Sample sample) {
    return start(sample, () -> {});
  }

  private Thread start(Sample sample, Runnable afterwards) {
    Thread thread =
        new Thread(
            () -> {
              try {
                outcome.complete(sample.call("call", (Callable<?>) () -> "ran"));
              } catch (Throwable e) {
                outcome.complete(e);
              }
              afterwards.run();
            },
            "waiting");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  @SuppressWarnings("ThreadPriorityCheck") // Only for speed.
  private static void awaitWaiting(Thread thread) {
    while (thread.getState() != Thread.State.TIMED_WAITING) {
      Thread.yield();
    }
  }
}

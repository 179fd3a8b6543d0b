package io.portcullis.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.gate.Refusal.ThrowNotLeader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

class ExitWhenDoneTest {
  private final ElectionGate gate = ElectionGate.forTrial("writer");
  private final Checkpoint checkpoint =
      Gate.addCheckpoint("rule", gate, ThrowNotLeader.WITHOUT_STACK_TRACE);

  @Test
  void futureWithoutCompletionCallbackEndsTheCallAtOnce() {
    enter();

    Gate.exitWhenDone(
        checkpoint.slot(),
        new CompletableFuture<>() {
          @Override
          public CompletableFuture<Object> whenComplete(
              BiConsumer<? super Object, ? super Throwable> action) {
            throw new UnsupportedOperationException("no listeners here");
          }
        });

    assertThat(checkpoint.callsInFlight()).isZero();
  }

  @Test
  void futureThatCompletesTwiceEndsTheCallOnce() {
    enter();
    enter();

    Gate.exitWhenDone(
        checkpoint.slot(),
        new CompletableFuture<>() {
          @Override
          public CompletableFuture<Object> whenComplete(
              BiConsumer<? super Object, ? super Throwable> action) {
            action.accept("done", null);
            action.accept("done", null);
            throw new IllegalStateException("and breaks");
          }
        });

    assertThat(checkpoint.callsInFlight()).isEqualTo(1);
    assertThat(checkpoint.passed()).isEqualTo(1);
  }

  private void enter() {
    gate.open(1, System.nanoTime() + TimeUnit.HOURS.toNanos(1));
    assertThat(Gate.enter(checkpoint.slot())).isFalse();
  }
}

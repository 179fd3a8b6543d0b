package io.portcullis.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.gate.Refusal.Verdict;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

class AdmittedCallTest {
  private final GateFixture gated = GateFixture.throwing();

  @Test
  void callThatEndsUnderItsEpochEndsNormally() {
    gated.openFor(1, 5);
    AdmittedCall call = passed();
    gated.openFor(2, 5);

    assertThatCode(() -> call.leave(null, true)).doesNotThrowAnyException();

    assertThat(gated.checkpoint().callsInFlight()).isZero();
    assertThat(gated.checkpoint().passed()).isEqualTo(1);
  }

  @Test
  void callWhoseEpochWasLostDoesNotEndNormally() {
    gated.openFor(1, 5);
    AdmittedCall call = passed();
    gated.election().shut();

    assertThatThrownBy(() -> call.leave(null, true))
        .isInstanceOfSatisfying(
            LeadershipLostException.class,
            lost -> {
              assertThat(lost.election()).isEqualTo(gated.election().name());
              assertThat(lost.rule()).isEqualTo(gated.checkpoint().id());
              assertThat(lost.epoch()).isEqualTo(5);
            })
        .hasMessageContaining("may or may not have happened");

    assertThat(gated.checkpoint().callsInFlight()).isZero();
  }

  @Test
  void callOfAnEarlierOwnEpochIsLost() {
    gated.openFor(1, 5);
    AdmittedCall call = passed();
    gated.election().shut();
    gated.openFor(1, 6);

    assertThatThrownBy(() -> call.leave(null, true)).isInstanceOf(LeadershipLostException.class);
  }

  @Test
  void expiredEpochIsLostEvenIfTheGateWasNotShut() {
    gated.openFor(1, 5);
    AdmittedCall call = passed();
    gated.election().open(5, System.nanoTime() - 1);

    assertThatThrownBy(() -> call.leave(null, true)).isInstanceOf(LeadershipLostException.class);
  }

  @Test
  void exceptionOfTheBodyIsThrownUnchanged() {
    gated.openFor(1, 5);
    AdmittedCall call = passed();
    gated.election().shut();

    assertThatCode(() -> call.leave(new IllegalStateException("its own"), true))
        .doesNotThrowAnyException();

    assertThat(gated.checkpoint().callsInFlight()).isZero();
  }

  @Test
  void eachCallIsCheckedAgainstItsOwnEpoch() {
    gated.openFor(1, 5);
    AdmittedCall outer = passed();
    gated.openFor(1, 6);
    AdmittedCall inner = passed();

    assertThatCode(() -> inner.leave(null, true)).doesNotThrowAnyException();
    assertThatThrownBy(() -> outer.leave(null, true))
        .isInstanceOfSatisfying(
            LeadershipLostException.class, lost -> assertThat(lost.epoch()).isEqualTo(5));
  }

  @Test
  void observedCallIsNeverRechecked() {
    gated.checkpoint().refuseWith((checkpoint, sinceNanos) -> Verdict.RUN);
    AdmittedCall call = passed();

    assertThatCode(() -> call.leave(null, true)).doesNotThrowAnyException();
    assertThat(gated.checkpoint().callsInFlight()).isZero();
  }

  @Test
  void callThatWaitedIsCheckedAgainstItsAdmissionEpoch() {
    gated
        .checkpoint()
        .refuseWith(
            (checkpoint, sinceNanos) -> {
              gated.openFor(1, 8);
              return Verdict.ASK_AGAIN;
            });
    AdmittedCall call = passed();
    gated.election().shut();

    assertThatThrownBy(() -> call.leave(null, true))
        .isInstanceOfSatisfying(
            LeadershipLostException.class, lost -> assertThat(lost.epoch()).isEqualTo(8));
  }

  @Test
  void refusedCallIsNotAdmitted() {
    gated.checkpoint().refuseWith((checkpoint, sinceNanos) -> Verdict.SKIP);

    assertThat(Gate.pass(gated.checkpoint().slot(), true)).isNull();
    assertThat(Gate.passOrFail(gated.checkpoint().slot(), true))
        .isInstanceOf(CompletableFuture.class);
    assertThat(gated.checkpoint().callsInFlight()).isZero();
  }

  @Test
  void futureCompletedUnderItsEpochIsReturnedUnchanged() {
    gated.openFor(1, 5);
    CompletableFuture<String> done = CompletableFuture.completedFuture("done");

    assertThat(passed().answer(done, true)).isSameAs(done);
    assertThat(gated.checkpoint().callsInFlight()).isZero();
  }

  @Test
  void futureThatSucceedsUnderALostEpochFails() {
    gated.openFor(1, 5);
    CompletableFuture<String> pending = new CompletableFuture<>();
    CompletionStage<?> seen = answered(pending);
    assertThat(gated.checkpoint().callsInFlight()).isEqualTo(1);

    gated.election().shut();
    pending.complete("done");

    assertThat(gated.checkpoint().callsInFlight()).isZero();
    assertThatThrownBy(() -> seen.toCompletableFuture().get(120, TimeUnit.SECONDS))
        .hasCauseInstanceOf(LeadershipLostException.class);
  }

  @Test
  void futureThatSucceedsUnderItsEpochSucceeds() throws Exception {
    gated.openFor(1, 5);
    CompletableFuture<String> pending = new CompletableFuture<>();
    CompletionStage<?> seen = answered(pending.minimalCompletionStage());

    pending.complete("done");

    assertThat(seen.toCompletableFuture().get(120, TimeUnit.SECONDS)).isEqualTo("done");
    assertThat(gated.checkpoint().callsInFlight()).isZero();
  }

  @Test
  void failedFutureKeepsItsOwnException() {
    gated.openFor(1, 5);
    CompletableFuture<String> pending = new CompletableFuture<>();
    CompletionStage<?> seen = answered(pending);

    gated.election().shut();
    pending.completeExceptionally(new UnsupportedOperationException("its own"));

    assertThatThrownBy(() -> seen.toCompletableFuture().get(120, TimeUnit.SECONDS))
        .hasCauseInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void futureCompletedTooLateIsReplacedByAFailedOne() {
    gated.openFor(1, 5);
    AdmittedCall call = passed();
    gated.election().shut();

    CompletionStage<?> seen = call.answer(CompletableFuture.completedFuture("done"), true);

    assertThat(Objects.requireNonNull(seen).toCompletableFuture()).isCompletedExceptionally();
  }

  @Test
  void cancellingTheReturnedFutureCancelsTheOriginal() {
    gated.openFor(1, 5);
    CompletableFuture<String> pending = new CompletableFuture<>();

    answered(pending).toCompletableFuture().cancel(true);

    assertThat(pending).isCancelled();
    assertThat(gated.checkpoint().callsInFlight()).isZero();
  }

  @Test
  void uncancellableFutureContinuesAndStaysInFlight() {
    gated.openFor(1, 5);
    CompletableFuture<String> pending = new CompletableFuture<>();

    CompletableFuture<?> seen = (CompletableFuture<?>) answered(pending.minimalCompletionStage());

    assertThat(seen.cancel(true)).isTrue();
    assertThat(pending).isNotDone();
    assertThat(gated.checkpoint().callsInFlight()).isEqualTo(1);
    pending.complete("done");
    assertThat(gated.checkpoint().callsInFlight()).isZero();
  }

  @Test
  void futureWithoutCompletionCallbackFails() {
    gated.openFor(1, 5);

    CompletionStage<?> seen =
        answered(
            new CompletableFuture<>() {
              @Override
              public CompletableFuture<Object> whenComplete(
                  BiConsumer<? super Object, ? super Throwable> action) {
                throw new UnsupportedOperationException("no listeners here");
              }
            });

    assertThat(seen.toCompletableFuture()).isCompletedExceptionally();
    assertThat(gated.checkpoint().callsInFlight()).isZero();
  }

  private CompletionStage<?> answered(CompletionStage<?> returned) {
    return Objects.requireNonNull(passed().answer(returned, true));
  }

  private AdmittedCall passed() {
    return Objects.requireNonNull(Gate.pass(gated.checkpoint().slot(), false));
  }
}

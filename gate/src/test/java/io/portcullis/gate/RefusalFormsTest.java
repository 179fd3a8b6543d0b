package io.portcullis.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.gate.Refusal.Verdict;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

/** Tests how woven code handles refusals other than a thrown NotLeaderException. */
class RefusalFormsTest {
  @Test
  void refusedAsynchronousCallGetsAFailedFuture() {
    GateFixture gated = GateFixture.throwing();

    assertThat(Gate.enterOrFail(gated.checkpoint().slot()))
        .failsWithin(Duration.ZERO)
        .withThrowableOfType(ExecutionException.class)
        .withCauseInstanceOf(NotLeaderException.class);
    assertThat(gated.checkpoint().callsInFlight()).isZero();
    assertThat(gated.checkpoint().blocked()).isEqualTo(1);
  }

  @Test
  void skippingRefusalReturnsAFailedFuture() {
    GateFixture gated = GateFixture.refusingWith((checkpoint, sinceNanos) -> Verdict.SKIP);

    assertThat(Gate.enterOrFail(gated.checkpoint().slot())).isCompletedExceptionally();
  }

  @Test
  void openGateAndObservedCallGetNoFuture() {
    GateFixture open = GateFixture.throwing();
    GateFixture observed = GateFixture.refusingWith((checkpoint, sinceNanos) -> Verdict.RUN);

    open.openFor(1);

    assertThat(Gate.enterOrFail(open.checkpoint().slot())).isNull();
    assertThat(open.checkpoint().callsInFlight()).isEqualTo(1);
    assertThat(Gate.enterOrFail(observed.checkpoint().slot())).isNull();
    assertThat(observed.checkpoint().callsInFlight()).isEqualTo(1);
  }

  @Test
  void refusalThatFailsIsThrownAndNotHiddenInAFuture() {
    GateFixture gated =
        GateFixture.refusingWith(
            (checkpoint, sinceNanos) -> {
              throw new UnsupportedOperationException("broken");
            });

    assertThatThrownBy(() -> Gate.enterOrFail(gated.checkpoint().slot())).hasMessage("broken");
  }

  @Test
  void exceptionOfTheApplicationHasTheRefusalAsCause() {
    NotLeaderException refused = Gate.notLeader(GateFixture.throwing().checkpoint().slot());
    Exception settled = new Exception("has a cause", new Error("this one"));

    assertThat(Gate.because(refused, new Exception("plain"))).hasMessage("plain").hasCause(refused);
    assertThat(Gate.because(refused, settled)).isSameAs(settled).hasMessage("has a cause");
  }

  @Test
  void trialGateIsNoElection() {
    ElectionGate trial = ElectionGate.forTrial("trial");

    assertThat(trial.isOpen()).isFalse();
    assertThatThrownBy(() -> ElectionRegistry.named("trial"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}

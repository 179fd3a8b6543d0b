package io.portcullis.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.gate.Refusal.Verdict;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;

class RefusalTest {
  @Test
  void skippingRefusalMakesTheCallerSkipTheBody() {
    GateFixture gated = GateFixture.refusingWith((checkpoint, sinceNanos) -> Verdict.SKIP);

    assertThat(gated.enter()).isTrue();
    assertThat(gated.check()).isTrue();
  }

  @Test
  void observingRefusalRunsTheBodyAndCountsItAsObserved() {
    GateFixture gated = GateFixture.refusingWith((checkpoint, sinceNanos) -> Verdict.RUN);

    assertThat(gated.enter()).isFalse();
    assertThat(gated.checkpoint().callsInFlight()).isEqualTo(1);
    gated.exit();

    assertThat(gated.checkpoint().observed()).isEqualTo(1);
    assertThat(gated.checkpoint().blocked()).isZero();
    assertThat(gated.checkpoint().passed()).isEqualTo(1);
    assertThat(gated.checkpoint().callsInFlight()).isZero();
    assertThat(gated.check()).isFalse();
    assertThat(gated.checkpoint().callsInFlight()).isZero();
  }

  @Test
  void callThatWaitedForTheGateToOpenIsAdmitted() {
    GateFixture gated = GateFixture.refusingWith(RefusalTest::openAndAskAgain);

    assertThat(gated.enter()).isFalse();
    assertThat(gated.checkpoint().callsInFlight()).isEqualTo(1);

    gated.election().shut();
    assertThat(gated.check()).isFalse();
  }

  @Test
  void callThatWaitedAndFindsTheGateShutIsRefusedAgain() {
    Iterator<Verdict> answers =
        List.of(Verdict.ASK_AGAIN, Verdict.ASK_AGAIN, Verdict.SKIP).iterator();
    GateFixture gated = GateFixture.refusingWith((checkpoint, sinceNanos) -> answers.next());

    assertThat(gated.enter()).isTrue();

    assertThat(answers).isExhausted();
    assertThat(gated.checkpoint().callsInFlight()).isZero();
  }

  @Test
  void waitingCallIsNotInFlightAndDelaysNoDrain() {
    long[] inFlightWhileWaiting = {-1};
    GateFixture gated =
        GateFixture.refusingWith(
            (checkpoint, sinceNanos) -> {
              inFlightWhileWaiting[0] = checkpoint.election().callsInFlight();
              return Verdict.SKIP;
            });

    gated.enter();

    assertThat(inFlightWhileWaiting[0]).isZero();
  }

  @Test
  void changedRefusalAppliesToTheNextCall() {
    GateFixture gated = GateFixture.throwing();

    gated.checkpoint().refuseWith((checkpoint, sinceNanos) -> Verdict.SKIP);

    assertThat(gated.enter()).isTrue();
  }

  @Test
  void failingRefusalStopsTheBodyAndKeepsCountsConsistent() {
    GateFixture gated =
        GateFixture.refusingWith(
            (checkpoint, sinceNanos) -> {
              throw new UnsupportedOperationException("broken");
            });

    assertThatThrownBy(gated::enter).hasMessage("broken");
    assertThat(gated.checkpoint().callsInFlight()).isZero();
  }

  @Test
  @SuppressWarnings("NullAway") // A faulty refusal may do this.
  void refusalWithoutAResultStopsTheBody() {
    GateFixture gated = GateFixture.refusingWith((checkpoint, sinceNanos) -> null);

    assertThat(gated.enter()).isTrue();
    assertThat(gated.check()).isTrue();
    assertThat(gated.checkpoint().callsInFlight()).isZero();
  }

  private static Verdict openAndAskAgain(Checkpoint checkpoint, long sinceNanos) {
    checkpoint.election().open(1, System.nanoTime() + Long.MAX_VALUE / 2);
    return Verdict.ASK_AGAIN;
  }
}

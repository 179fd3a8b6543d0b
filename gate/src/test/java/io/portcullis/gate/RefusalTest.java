package io.portcullis.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.gate.Refusal.Verdict;
import org.junit.jupiter.api.Test;

class RefusalTest {
  @Test
  void skippingRefusalMakesTheCallerSkipTheBody() {
    Gated gated = Gated.refusingWith((checkpoint, refusedAtNanos) -> Verdict.SKIP);

    assertThat(gated.enter()).isTrue();
    assertThat(gated.check()).isTrue();
  }

  @Test
  void observingRefusalLetsTheBodyRunAndCountsItAsBlocked() {
    Gated gated = Gated.refusingWith((checkpoint, refusedAtNanos) -> Verdict.RUN);

    assertThat(gated.enter()).isFalse();
    assertThat(gated.checkpoint().callsInFlight()).isEqualTo(1);
    gated.exit();

    assertThat(gated.checkpoint().blocked()).isEqualTo(1);
    assertThat(gated.checkpoint().passed()).isEqualTo(1);
    assertThat(gated.checkpoint().callsInFlight()).isZero();
    assertThat(gated.check()).isFalse();
    assertThat(gated.checkpoint().callsInFlight()).isZero();
  }

  @Test
  void callThatWaitedForTheGateToOpenIsLetIn() {
    Gated gated = Gated.refusingWith(RefusalTest::openAndAskAgain);

    assertThat(gated.enter()).isFalse();
    assertThat(gated.checkpoint().callsInFlight()).isEqualTo(1);

    gated.election().shut();
    assertThat(gated.check()).isFalse();
  }

  @Test
  void callThatWaitedAndFindsTheGateShutIsRefusedAgainWithTheTimeOfItsFirstRefusal() {
    long[] times = new long[3];
    int[] calls = {0};
    Gated gated =
        Gated.refusingWith(
            (checkpoint, refusedAtNanos) -> {
              times[calls[0]] = refusedAtNanos;
              return ++calls[0] == times.length ? Verdict.SKIP : Verdict.ASK_AGAIN;
            });

    assertThat(gated.enter()).isTrue();

    assertThat(times).containsOnly(times[0]);
    assertThat(System.nanoTime() - times[0]).isNotNegative();
    assertThat(gated.checkpoint().callsInFlight()).isZero();
  }

  @Test
  void callThatWaitsIsNotInFlightSoThatADrainDoesNotWaitForIt() {
    long[] inFlightWhileWaiting = {-1};
    Gated gated =
        Gated.refusingWith(
            (checkpoint, refusedAtNanos) -> {
              inFlightWhileWaiting[0] = checkpoint.election().callsInFlight();
              return Verdict.SKIP;
            });

    gated.enter();

    assertThat(inFlightWhileWaiting[0]).isZero();
  }

  @Test
  void changedRefusalCountsFromTheNextCall() {
    Gated gated = Gated.throwing();

    gated.checkpoint().refuseWith((checkpoint, refusedAtNanos) -> Verdict.SKIP);

    assertThat(gated.enter()).isTrue();
  }

  @Test
  void refusalThatFailsKeepsTheBodyFromRunningAndTheBooksBalanced() {
    Gated gated =
        Gated.refusingWith(
            (checkpoint, refusedAtNanos) -> {
              throw new UnsupportedOperationException("broken");
            });

    assertThatThrownBy(gated::enter).hasMessage("broken");
    assertThat(gated.checkpoint().callsInFlight()).isZero();
  }

  private static Verdict openAndAskAgain(Checkpoint checkpoint, long refusedAtNanos) {
    checkpoint.election().open(1, System.nanoTime() + Long.MAX_VALUE / 2);
    return Verdict.ASK_AGAIN;
  }
}

package io.portcullis.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.gate.Refusal.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class CallAccountingTest {
  private final GateFixture gated = GateFixture.throwing();
  private final Checkpoint checkpoint = gated.checkpoint();

  @Test
  void callIsInFlightBetweenEnterAndExitAndPassedLater() {
    gated.openFor(1);

    gated.enter();
    assertThat(checkpoint.callsInFlight()).isEqualTo(1);
    assertThat(checkpoint.passed()).isZero();

    gated.exit();
    assertThat(checkpoint.callsInFlight()).isZero();
    assertThat(checkpoint.passed()).isEqualTo(1);
    assertThat(checkpoint.blocked()).isZero();
  }

  @Test
  void refusedCallIsBlockedAndNotInFlight() {
    assertThatThrownBy(gated::enter).isInstanceOf(NotLeaderException.class);

    assertThat(checkpoint.blocked()).isEqualTo(1);
    assertThat(checkpoint.passed()).isZero();
    assertThat(checkpoint.callsInFlight()).isZero();
  }

  @Test
  void observedCallIsInFlightAndNotBlocked() {
    GateFixture observing = GateFixture.refusingWith((any, sinceNanos) -> Verdict.RUN);
    Checkpoint observed = observing.checkpoint();

    observing.enter();
    AdmittedCall tracked = Objects.requireNonNull(Gate.pass(observed.slot(), false));
    observing.check();
    assertThat(observed.observed()).isEqualTo(3);
    assertThat(observed.blocked()).isZero();
    assertThat(observed.callsInFlight()).isEqualTo(2);

    observing.exit();
    tracked.leave(null, false);
    assertThat(observed.callsInFlight()).isZero();
    assertThat(observed.passed()).isEqualTo(2);
    assertThat(observed.blocked()).isZero();
  }

  @Test
  void callsBeforeARuleObservesStayBlocked() {
    assertThatThrownBy(gated::enter).isInstanceOf(NotLeaderException.class);
    checkpoint.refuseWith((any, sinceNanos) -> Verdict.RUN);
    gated.enter();
    gated.exit();

    assertThat(checkpoint.blocked()).isEqualTo(1);
    assertThat(checkpoint.observed()).isEqualTo(1);
    assertThat(checkpoint.callsInFlight()).isZero();
  }

  @Test
  void shuttingTheGateKeepsCallsInFlight() {
    gated.openFor(1);
    gated.enter();

    gated.election().shut();

    assertThat(gated.election().callsInFlight()).isEqualTo(1);
    gated.exit();
    assertThat(gated.election().callsInFlight()).isZero();
  }

  @Test
  void checkedCallIsNeverInFlightAndCountsOnlyIfBlocked() {
    gated.openFor(1);
    gated.check();
    assertThat(checkpoint.callsInFlight()).isZero();
    assertThat(checkpoint.passed()).isZero();

    gated.election().shut();
    assertThatThrownBy(gated::check).isInstanceOf(NotLeaderException.class);

    assertThat(checkpoint.blocked()).isEqualTo(1);
    assertThat(checkpoint.callsInFlight()).isZero();
  }

  @Test
  void nestedCallsOfOneThreadCountEach() {
    gated.openFor(1);

    gated.enter();
    gated.enter();

    assertThat(checkpoint.callsInFlight()).isEqualTo(2);
  }

  @Test
  void callsOfManyThreadsAddUp() throws InterruptedException {
    gated.openFor(1);
    int threads = 100; // More than the number of stripes.
    int callsPerThread = 1_000;

    List<Thread> callers = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      Thread caller = new Thread(() -> enterAndExit(callsPerThread));
      callers.add(caller);
      caller.start();
    }
    for (Thread caller : callers) {
      caller.join();
    }

    assertThat(checkpoint.passed()).isEqualTo((long) threads * callsPerThread);
    assertThat(checkpoint.callsInFlight()).isZero();
  }

  @Test
  void callMayEndOnAnotherThread() throws InterruptedException {
    gated.openFor(1);
    gated.enter();

    Thread other = new Thread(gated::exit);
    other.start();
    other.join();

    assertThat(checkpoint.callsInFlight()).isZero();
  }

  private void enterAndExit(int times) {
    for (int i = 0; i < times; i++) {
      gated.enter();
      gated.exit();
    }
  }
}

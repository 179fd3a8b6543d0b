package io.portcullis.gate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads in calls are interrupted when leadership is lost, and at no other time. */
@Timeout(600)
class InterruptTest {
  private final GateFixture gated = GateFixture.throwing();
  private final CountDownLatch never = new CountDownLatch(1);

  @AfterEach
  void clearTheFlag() {
    boolean ignored = Thread.interrupted();
  }

  @Test
  void threadInsideACallIsInterruptedOnce() throws Exception {
    gated.openFor(1);
    AtomicInteger interrupts = new AtomicInteger();
    CountDownLatch inside = new CountDownLatch(1);
    CompletableFuture<Boolean> flagAfterwards = new CompletableFuture<>();
    Thread caller =
        start(
            () -> {
              AdmittedCall passage = passed();
              inside.countDown();
              awaitInterrupt(interrupts);
              gated.election().abandonCalls(); // A second time, by any code.
              passage.leave(null, false);
              flagAfterwards.complete(Thread.currentThread().isInterrupted());
            });
    inside.await();

    gated.election().shut();
    gated.election().abandonCalls();

    assertThat(flagAfterwards.get(120, TimeUnit.SECONDS)).isFalse();
    caller.join();
    assertThat(interrupts).hasValue(1);
  }

  @Test
  void shuttingTheGateInterruptsNoCallDuringADrain() {
    gated.openFor(1);
    AdmittedCall passage = passed();

    gated.election().shut();

    assertThat(InterruptibleCalls.isAnyInside()).isTrue();
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
    passage.leave(null, false);
    assertThat(InterruptibleCalls.isAnyInside()).isFalse();
  }

  @Test
  void unnoticedInterruptEndsWithTheCall() {
    gated.openFor(1);
    AdmittedCall passage = passed();
    gated.election().shut();

    InterruptibleCalls.interruptAllOf(gated.election());

    assertThat(Thread.currentThread().isInterrupted()).isTrue();
    passage.leave(null, false);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void foreignInterruptIsKept() {
    gated.openFor(1);
    AdmittedCall passage = passed();
    gated.election().shut();
    Thread.currentThread().interrupt();

    InterruptibleCalls.interruptAllOf(gated.election());
    passage.leave(null, false);

    assertThat(Thread.currentThread().isInterrupted()).isTrue();
  }

  @Test
  void endedCallIsNotInterrupted() {
    gated.openFor(1);
    passed().leave(null, false);
    gated.election().shut();

    InterruptibleCalls.interruptAllOf(gated.election());

    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void nestedCallIsInterruptedOnceAndTheOuterCallSeesIt() {
    gated.openFor(1);
    AdmittedCall outer = passed();
    AdmittedCall inner = passed();
    gated.election().shut();
    InterruptibleCalls.interruptAllOf(gated.election());

    inner.leave(null, false);
    assertThat(Thread.interrupted()).isTrue();
    InterruptibleCalls.interruptAllOf(gated.election());
    assertThat(Thread.currentThread().isInterrupted()).isFalse();

    outer.leave(null, false);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void callOfAnotherElectionIsNotInterrupted() {
    GateFixture other = GateFixture.throwing();
    other.openFor(1);
    gated.openFor(1);
    AdmittedCall passage = Objects.requireNonNull(Gate.pass(other.checkpoint().slot(), true));
    gated.election().shut();

    InterruptibleCalls.interruptAllOf(gated.election());

    assertThat(Thread.currentThread().isInterrupted()).isFalse();
    passage.leave(null, false);
  }

  @Test
  void callUnderTheOpenEpochIsNotInterrupted() {
    gated.openFor(1, 6);
    AdmittedCall passage = passed();

    InterruptibleCalls.interruptAllOf(gated.election());

    assertThat(Thread.currentThread().isInterrupted()).isFalse();
    passage.leave(null, false);
  }

  @Test
  void anotherLeaderCountsAsALoss() throws Exception {
    gated.openFor(1, 6);
    CountDownLatch inside = new CountDownLatch(1);
    AtomicInteger interrupts = new AtomicInteger();
    Thread caller =
        start(
            () -> {
              AdmittedCall passage = passed();
              inside.countDown();
              awaitInterrupt(interrupts);
              passage.leave(null, false);
            });
    inside.await();

    gated.election().leaderSeen("b", null, 7);

    caller.join();
    assertThat(interrupts).hasValue(1);
  }

  /** The loss occurs between the gate check and the registration of the call. */
  @Test
  void lossWhileACallEntersIsNotMissed() {
    gated.openFor(1, 6);
    long lossesBefore = gated.election().losses();
    gated.election().shut();
    gated.election().abandonCalls();

    InterruptibleCalls.Call call = InterruptibleCalls.begin(gated.election(), 6, lossesBefore);

    assertThat(Thread.currentThread().isInterrupted()).isTrue();
    call.end();
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  private void awaitInterrupt(AtomicInteger interrupts) {
    try {
      never.await();
    } catch (InterruptedException e) {
      interrupts.incrementAndGet();
    }
  }

  private AdmittedCall passed() {
    return Objects.requireNonNull(Gate.pass(gated.checkpoint().slot(), true));
  }

  private static Thread start(Runnable call) {
    Thread thread = new Thread(call, "caller");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }
}

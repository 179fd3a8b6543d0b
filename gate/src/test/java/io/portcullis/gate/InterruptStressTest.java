package io.portcullis.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.gate.Refusal.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Losses race with threads that enter and leave calls: no interrupt may be visible outside of a
 * call.
 */
@Timeout(600)
class InterruptStressTest {
  private static final int CALLERS = 6;
  private static final Duration LENGTH = Duration.ofSeconds(3);

  private final GateFixture gated =
      GateFixture.refusingWith((checkpoint, sinceNanos) -> Verdict.SKIP);
  private final AtomicInteger stray = new AtomicInteger();
  private final AtomicInteger calls = new AtomicInteger();
  private final AtomicInteger felt = new AtomicInteger();
  private volatile boolean over;

  @Test
  void noInterruptIsVisibleAfterTheCallHasEnded() throws InterruptedException {
    List<Thread> callers = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      Thread caller = new Thread(this::callUntilOver, "caller-" + i);
      caller.setDaemon(true);
      caller.start();
      callers.add(caller);
    }
    long end = System.nanoTime() + LENGTH.toNanos();

    int rounds = 0;
    while (end - System.nanoTime() > 0) {
      gated.openFor(1, ++rounds);
      awaitSomeCalls();
      gated.election().shut();
      gated.election().abandonCalls();
    }
    over = true;
    for (Thread caller : callers) {
      caller.join();
    }

    assertThat(stray).as("interrupts outside, %d rounds", rounds).hasValue(0);
    assertThat(felt).as("interrupts inside, %d rounds", rounds).hasPositiveValue();
    assertThat(InterruptibleCalls.isAnyInside()).isFalse();
    assertThat(gated.checkpoint().callsInFlight()).isZero();
  }

  private void callUntilOver() {
    while (!over) {
      AdmittedCall passage = Gate.pass(gated.checkpoint().slot(), true);
      if (passage != null) {
        letOthersRun();
        if (Thread.currentThread().isInterrupted()) {
          felt.incrementAndGet();
        }
        passage.leave(null, false);
        calls.incrementAndGet();
      }
      letOthersRun();
      if (Thread.interrupted()) {
        stray.incrementAndGet();
      }
    }
  }

  private void awaitSomeCalls() {
    int before = calls.get();
    while (calls.get() - before < CALLERS) {
      letOthersRun();
    }
  }

  @SuppressWarnings("ThreadPriorityCheck") // Only for speed.
  private static void letOthersRun() {
    Thread.yield();
  }
}

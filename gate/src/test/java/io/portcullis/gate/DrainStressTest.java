package io.portcullis.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.gate.Refusal.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Lets real threads race with a drain, many times. There are more threads than processors, so that
 * the scheduler stops some at any point between two instructions of the gate.
 */
@Timeout(600)
class DrainStressTest {
  private static final int CALLERS = 6;
  private static final Duration LENGTH = Duration.ofSeconds(4);

  private final GateFixture gated =
      GateFixture.refusingWith((checkpoint, sinceNanos) -> Verdict.SKIP);

  /** Counts the calls of each caller, admitted or not. */
  private final AtomicIntegerArray attempts = new AtomicIntegerArray(CALLERS);

  private final AtomicInteger bodiesAfterDrain = new AtomicInteger();
  private volatile boolean drained;
  private volatile boolean over;

  @Test
  void noBodyRunsAfterADrainWithNoCallInFlight() throws InterruptedException {
    List<Thread> callers = startCallers();
    long end = System.nanoTime() + LENGTH.toNanos();

    int rounds = 0;
    while (end - System.nanoTime() > 0) {
      gated.openFor(1, ++rounds);
      awaitAWholeCallOf(rounds % CALLERS);
      gated.election().shut();
      awaitNoCallInFlight();
      drained = true;
      for (int caller = 0; caller < CALLERS; caller++) {
        awaitAWholeCallOf(caller);
      }
      drained = false;
    }
    over = true;
    for (Thread caller : callers) {
      caller.join();
    }

    assertThat(bodiesAfterDrain).as("bodies run after the drain, %d rounds", rounds).hasValue(0);
    assertThat(rounds).isGreaterThan(1);
    assertThat(gated.checkpoint().passed()).isGreaterThanOrEqualTo(rounds);
    assertThat(gated.checkpoint().blocked()).isGreaterThanOrEqualTo(rounds);
    assertThat(gated.election().callsInFlight()).isZero();
  }

  private List<Thread> startCallers() {
    List<Thread> callers = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      int caller = i;
      Thread thread = new Thread(() -> callUntilOver(caller), "caller-" + caller);
      thread.setDaemon(true);
      thread.start();
      callers.add(thread);
    }
    return callers;
  }

  private void callUntilOver(int caller) {
    while (!over) {
      if (!gated.enter()) {
        if (drained) {
          bodiesAfterDrain.incrementAndGet();
        }
        gated.exit();
      } else {
        letOthersRun();
      }
      attempts.incrementAndGet(caller);
    }
  }

  /** Awaits the end of two calls, since the first may be of a call that had begun before. */
  private void awaitAWholeCallOf(int caller) {
    int before = attempts.get(caller);
    while (attempts.get(caller) - before < 2) {
      letOthersRun();
    }
  }

  private void awaitNoCallInFlight() {
    while (gated.election().callsInFlight() != 0) {
      letOthersRun();
    }
  }

  /** Only for speed; the test relies on the awaited conditions. */
  @SuppressWarnings("ThreadPriorityCheck")
  private static void letOthersRun() {
    Thread.yield();
  }
}

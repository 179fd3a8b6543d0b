package io.portcullis.agent.node;

import io.portcullis.gate.Checkpoint;
import io.portcullis.gate.Refusal;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Grace period after the start, while the leader is still unknown. A gated call in this period
 * waits for a limited time instead of failing.
 */
public final class StartupGrace {
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Duration maxWait;

  public StartupGrace(Duration maxWait) {
    this.maxWait = maxWait;
  }

  /** Ends the grace period: the leader is known, or waiting can't succeed. */
  public void end() {
    ended.countDown();
  }

  private boolean isOver() {
    return ended.getCount() == 0;
  }

  /** Delays {@code refusal} until the grace period ends or the maximum wait has passed. */
  public Refusal wrap(Refusal refusal) {
    return maxWait.isZero() ? refusal : new WaitingRefusal(refusal);
  }

  private final class WaitingRefusal implements Refusal {
    private final Refusal refusal;

    WaitingRefusal(Refusal refusal) {
      this.refusal = refusal;
    }

    @Override
    public Verdict refuse(Checkpoint checkpoint, long sinceNanos) {
      return !isOver() && awaitEnd() ? Verdict.ASK_AGAIN : refusal.refuse(checkpoint, sinceNanos);
    }

    @Override
    public @Nullable Object answer(Checkpoint checkpoint, String method) {
      return refusal.answer(checkpoint, method);
    }

    /** True only if the grace period ended during the wait; then the gate is checked again. */
    private boolean awaitEnd() {
      try {
        return ended.await(maxWait.toNanos(), TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
  }
}

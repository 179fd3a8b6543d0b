package io.portcullis.agent.node;

import io.portcullis.gate.Checkpoint;
import io.portcullis.gate.Refusal;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The time after the start in which nobody knows yet who leads. A call that comes so early waits a
 * little instead of failing.
 */
public final class StartupGrace {
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Duration maxWait;

  /** Lets a call wait for so long. */
  public StartupGrace(Duration patience) {
    this.maxWait = patience;
  }

  /** It is known who leads, or known that waiting is in vain. */
  public void end() {
    ended.countDown();
  }

  private boolean isOver() {
    return ended.getCount() == 0;
  }

  /** What {@code refusal} does, but not before it is known who leads, or patience is over. */
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

    /** The gate is asked again only by a call that has really waited for news and got some. */
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

package io.portcullis.gate;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Where calls wait for one election's gate to open. They wait on a latch, so nobody is asked again
 * and again, and a virtual thread gives its carrier away. Whoever opens the gate waits for nobody.
 *
 * <p><b>Why no opening is missed.</b> A call takes the latch before it looks at the gate; the gate
 * is opened before the latch is taken away and let go. So a call that found the gate shut has a
 * latch that is let go after that opening, or has been already.
 */
final class GateWaiters {
  /** Null while nobody waits. */
  private final AtomicReference<@Nullable CountDownLatch> latch = new AtomicReference<>();

  private volatile boolean closed;

  /**
   * Waits until the gate is open; false if the time is over first, or it will not open any more.
   */
  boolean awaitOpen(ElectionGate gate, long nanos) throws InterruptedException {
    long sinceNanos = System.nanoTime();
    while (true) {
      CountDownLatch news = latch();
      if (gate.isOpen()) {
        return true;
      }
      long leftNanos = nanos - (System.nanoTime() - sinceNanos);
      if (closed || leftNanos <= 0) {
        return false;
      }
      boolean ignored = news.await(leftNanos, TimeUnit.NANOSECONDS);
    }
  }

  /** To be called after the gate was opened. */
  void wakeAll() {
    CountDownLatch waited = latch.getAndSet(null);
    if (waited != null) {
      waited.countDown();
    }
  }

  /** From now on nobody waits. */
  void close() {
    closed = true;
    wakeAll();
  }

  private CountDownLatch latch() {
    CountDownLatch mine = new CountDownLatch(1);
    CountDownLatch present = latch.compareAndExchange(null, mine);
    return present == null ? mine : present;
  }
}

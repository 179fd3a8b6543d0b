package io.portcullis.gate;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Lets calls wait for one election's gate to open. They wait on a latch, so there is no polling,
 * and a virtual thread releases its carrier. The thread that opens the gate never blocks.
 *
 * <p><b>Why no opening is missed.</b> A call gets the latch before it checks the gate; the gate is
 * opened before the latch is removed and released. So a call that found the gate shut has a latch
 * that is released after that opening, or has been released already.
 */
final class GateWaiters {
  /** Null while no call waits. */
  private final AtomicReference<@Nullable CountDownLatch> latch = new AtomicReference<>();

  private volatile boolean closed;

  /**
   * Waits until the gate is open; false if the time is over first, or the gate will not open any
   * more.
   */
  boolean awaitOpen(ElectionGate gate, long nanos) throws InterruptedException {
    long sinceNanos = System.nanoTime();
    while (true) {
      CountDownLatch opened = latch();
      if (gate.isOpen()) {
        return true;
      }
      long leftNanos = nanos - (System.nanoTime() - sinceNanos);
      if (closed || leftNanos <= 0) {
        return false;
      }
      boolean ignored = opened.await(leftNanos, TimeUnit.NANOSECONDS);
    }
  }

  /** Wakes all waiting calls; called after the gate was opened. */
  void wakeAll() {
    CountDownLatch released = latch.getAndSet(null);
    if (released != null) {
      released.countDown();
    }
  }

  /** Ends all waiting, now and later. */
  void close() {
    closed = true;
    wakeAll();
  }

  private CountDownLatch latch() {
    CountDownLatch created = new CountDownLatch(1);
    CountDownLatch current = latch.compareAndExchange(null, created);
    return current == null ? created : current;
  }
}

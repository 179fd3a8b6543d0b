package io.portcullis.it.freeze;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A thread that calls in a loop for one round, and its counts. */
final class CallLoopThread extends Thread {
  private final CallGuard guard;
  private final long deadlineNanos;
  private final CountDownLatch firstPass = new CountDownLatch(1);
  private final CountDownLatch firstRefusal = new CountDownLatch(1);
  private volatile boolean over;

  // Written by this thread, read after it has ended.
  private long passed;
  private long passedLate;
  private long latestNanos;
  private long refused;
  private long gapNanos;

  CallLoopThread(CallGuard guard, long deadlineNanos) {
    super("hammer");
    this.guard = guard;
    this.deadlineNanos = deadlineNanos;
    setDaemon(true);
  }

  @Override
  public void run() {
    long previousNanos = System.nanoTime();
    while (!over) {
      long beganNanos = System.nanoTime(); // Before the guard is checked: the call begins here.
      long lateNanos = beganNanos - deadlineNanos;
      if (lateNanos >= 0 && previousNanos - deadlineNanos < 0) {
        gapNanos = beganNanos - previousNanos;
      }
      previousNanos = beganNanos;
      if (guard.enter()) {
        countPass(lateNanos);
        guard.exit();
      } else {
        refused++;
        firstRefusal.countDown();
      }
    }
  }

  private void countPass(long lateNanos) {
    passed++;
    firstPass.countDown();
    if (lateNanos >= 0) {
      passedLate++;
      latestNanos = lateNanos;
    }
  }

  /** On a busy machine a thread may be too late for any call; the counts show it. */
  void awaitFirstPassUntilDeadline() throws InterruptedException {
    firstPass.await(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
  }

  boolean awaitFirstRefusal(long timeoutSeconds) throws InterruptedException {
    return firstRefusal.await(timeoutSeconds, TimeUnit.SECONDS);
  }

  /** Ends the round for this thread; only then may its counts be read. */
  void end() throws InterruptedException {
    over = true;
    join();
  }

  long passed() {
    return passed;
  }

  long passedLate() {
    return passedLate;
  }

  /** How long after the deadline the latest call that still passed began. */
  long latestNanos() {
    return latestNanos;
  }

  long refused() {
    return refused;
  }

  /** The time between the last call begun before the deadline and the first begun after it. */
  long gapNanos() {
    return gapNanos;
  }
}

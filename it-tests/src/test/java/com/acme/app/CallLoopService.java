package com.acme.app;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Calls its work in a tight loop from the start, and counts. */
public final class CallLoopService {
  private static final long LOOP_NANOS = TimeUnit.SECONDS.toNanos(3);

  private CallLoopService() {}

  public static void main(String[] args) throws InterruptedException {
    long start = System.nanoTime();
    long done = 0;
    long refused = 0;
    do {
      if (works()) {
        done++;
      } else {
        refused++;
      }
    } while (System.nanoTime() - start < LOOP_NANOS);
    System.out.println("refused at all: " + (refused > 0));
    System.out.println("calls done: " + done);
    new CountDownLatch(1).await();
  }

  private static boolean works() {
    try {
      work();
      return true;
    } catch (IllegalStateException e) {
      return false;
    }
  }

  static void work() {}
}

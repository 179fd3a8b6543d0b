package com.acme.app;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Tries its two tasks repeatedly, and prints each outcome. */
public final class Workshop {
  private Workshop() {}

  public static void main(String[] args) throws InterruptedException {
    CountDownLatch never = new CountDownLatch(1);
    do {
      System.out.println("work: " + outcome(Workshop::work));
      System.out.println("other: " + outcome(Workshop::other));
    } while (!never.await(100, TimeUnit.MILLISECONDS));
  }

  private static String outcome(Runnable task) {
    try {
      task.run();
      return "done";
    } catch (RuntimeException e) {
      return "refused, " + e.getMessage();
    }
  }

  static void work() {}

  static void other() {}
}

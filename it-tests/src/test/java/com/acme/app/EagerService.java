package com.acme.app;

import java.util.concurrent.CountDownLatch;

/** Works immediately after start, and prints the outcome and the duration. */
public final class EagerService {
  private EagerService() {}

  public static void main(String[] args) throws InterruptedException {
    long start = System.nanoTime();
    String outcome = attempt();
    long millis = (System.nanoTime() - start) / 1_000_000;
    System.out.println("first call: " + outcome + " after " + millis + " ms");
    new CountDownLatch(1).await();
  }

  private static String attempt() {
    try {
      work();
      return "done";
    } catch (IllegalStateException e) {
      return "refused";
    }
  }

  static void work() {}
}

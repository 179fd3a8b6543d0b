package com.acme.app;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Works repeatedly in a shutdown hook that never ends. */
public final class HangingHookService {
  private static final CountDownLatch NEVER = new CountDownLatch(1);

  private HangingHookService() {}

  public static void main(String[] args) throws InterruptedException {
    Runtime.getRuntime().addShutdownHook(new Thread(HangingHookService::hang, "hanging-hook"));
    System.out.println("started");
    NEVER.await();
  }

  private static void hang() {
    try {
      do {
        System.out.println("hook works: " + attempt());
      } while (!NEVER.await(100, TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static String attempt() {
    try {
      return work();
    } catch (IllegalStateException e) {
      return "refused, " + e.getMessage();
    }
  }

  static String work() {
    return "done";
  }
}

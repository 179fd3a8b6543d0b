package com.acme.app;

import java.util.concurrent.CountDownLatch;

/** Retries refused calls without a pause. */
public final class RetryingService {
  /** Retries of the methods whose callers are never slowed. */
  public static final int RETRIES = 1_000;

  private RetryingService() {}

  /** The argument is the number of retries of {@link #work}. */
  public static void main(String[] args) throws InterruptedException {
    for (int i = 0; i < RETRIES; i++) {
      attempt(RetryingService::observed);
      attempt(RetryingService::waiting);
    }
    for (int i = 0; i < Integer.parseInt(args[0]); i++) {
      attempt(RetryingService::work);
    }
    new CountDownLatch(1).await();
  }

  private static void attempt(Runnable call) {
    try {
      call.run();
    } catch (IllegalStateException refused) {
      Thread.onSpinWait();
    }
  }

  static void observed() {}

  static void waiting() {}

  static void work() {}
}

package io.portcullis.benchmarks;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/**
 * Renews a deadline every millisecond in the background, as an election does while this node leads.
 */
final class BackgroundRenewal {
  private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long LEASE_NANOS = TimeUnit.HOURS.toNanos(1);

  private final LongConsumer newDeadline;
  private final Thread thread;

  BackgroundRenewal(LongConsumer newDeadline) {
    this.newDeadline = newDeadline;
    this.thread = new Thread(this::renewUntilInterrupted, "renewal");
    thread.setDaemon(true);
  }

  void start() {
    renew(); // No measured call may come before the first renewal.
    thread.start();
  }

  void stop() throws InterruptedException {
    thread.interrupt();
    thread.join();
  }

  private void renewUntilInterrupted() {
    while (!Thread.interrupted()) {
      renew();
      LockSupport.parkNanos(PERIOD_NANOS);
    }
  }

  private void renew() {
    newDeadline.accept(System.nanoTime() + LEASE_NANOS);
  }
}

package io.portcullis.election.engine;

import java.time.Duration;
import java.util.function.Predicate;

/** Publishes the latest status to all threads, and lets threads wait for a status. */
final class StatusPublisher {
  /** Longer than any useful wait, and far from overflow. */
  private static final Duration MAX_WAIT = Duration.ofDays(365);

  private volatile Status status;

  StatusPublisher(Status first) {
    this.status = first;
  }

  Status now() {
    return status;
  }

  synchronized void publish(Status next) {
    status = next;
    notifyAll();
  }

  /**
   * Waits for a matching status, at most {@code atMost}.
   *
   * @return the last status seen, matching or not
   */
  synchronized Status await(Predicate<Status> fits, Duration atMost) throws InterruptedException {
    Duration bound = atMost.compareTo(MAX_WAIT) < 0 ? atMost : MAX_WAIT;
    long endNanos = System.nanoTime() + bound.toNanos();
    while (!fits.test(status)) {
      long leftMillis = (endNanos - System.nanoTime()) / 1_000_000;
      if (leftMillis <= 0) {
        break;
      }
      wait(leftMillis);
    }
    return status;
  }
}

package io.portcullis.election.engine;

import java.time.Duration;
import java.util.function.Predicate;

/** Shows the newest status to any thread, and lets threads wait for one they like. */
final class StatusBoard {
  /** Longer than anybody waits, and far from overflow. */
  private static final Duration LONGEST = Duration.ofDays(365);

  private volatile Status status;

  StatusBoard(Status first) {
    this.status = first;
  }

  Status now() {
    return status;
  }

  synchronized void publish(Status next) {
    status = next;
    notifyAll();
  }

  /** Waits for a status that fits, at most so long; the last status seen. */
  synchronized Status await(Predicate<Status> fits, Duration atMost) throws InterruptedException {
    Duration bound = atMost.compareTo(LONGEST) < 0 ? atMost : LONGEST;
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

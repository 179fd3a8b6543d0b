package io.portcullis.servers;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The faults that a {@link TcpProxy} applies to its traffic. */
final class NetworkConditions {
  private boolean holding;
  private boolean swallowingReplies;
  private boolean ended;
  private long delayNanos;

  synchronized void set(boolean hold, boolean swallowReplies) {
    holding = hold;
    swallowingReplies = swallowReplies;
    notifyAll();
  }

  synchronized void delay(Duration each) {
    delayNanos = each.toNanos();
  }

  synchronized void end() {
    ended = true;
    notifyAll();
  }

  synchronized boolean swallowsReplies() {
    return swallowingReplies;
  }

  /** Returns once received data may be forwarded. */
  synchronized void awaitPassage() throws InterruptedException {
    long due = System.nanoTime() + delayNanos;
    while (!ended) {
      long left = due - System.nanoTime();
      if (holding) {
        wait();
      } else if (left > 0) {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      } else {
        return;
      }
    }
  }
}

package io.portcullis.it.freeze;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** A common alternative to the gate: a flag that a timer clears when the lease ends. */
final class TimerFlagGuard implements CallGuard {
  static final String NAME = "flag";

  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "timer");
            thread.setDaemon(true);
            return thread;
          });

  private volatile boolean leader;

  @Override
  public void open(long epoch, long deadlineNanos) {
    leader = true;
    var unused =
        timer.schedule(
            () -> leader = false, deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
  }

  @Override
  public boolean enter() {
    return leader;
  }

  @Override
  public void exit() {}
}

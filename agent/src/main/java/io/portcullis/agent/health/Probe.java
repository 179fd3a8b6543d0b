package io.portcullis.agent.health;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A check on a thread of its own. One that hangs is asked no second time until it comes back, and
 * fails meanwhile.
 */
final class Probe {
  private final Check check;
  private final Duration timeout;
  private final ExecutorService thread;
  private @Nullable Future<@Nullable String> running;
  private long begunNanos;

  Probe(String election, Check check, Duration timeout) {
    this.check = check;
    this.timeout = timeout;
    this.thread =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread daemon = new Thread(null, task, "portcullis-" + election + "-check", 0, false);
              daemon.setDaemon(true);
              daemon.setContextClassLoader(ClassLoader.getSystemClassLoader());
              return daemon;
            });
  }

  void begin() {
    if (running == null) {
      begunNanos = System.nanoTime();
      running = thread.submit(() -> check.failure(timeout));
    }
  }

  /** What is wrong, null if nothing is; waits for the answer no longer than is allowed. */
  @Nullable String await() throws InterruptedException {
    Future<@Nullable String> asked = running;
    if (asked == null) {
      return check.name() + ": was not asked";
    }
    try {
      long left = timeout.toNanos() - (System.nanoTime() - begunNanos);
      String failure = asked.get(Math.max(0, left), TimeUnit.NANOSECONDS);
      running = null;
      return failure == null ? null : check.name() + ": " + failure;
    } catch (TimeoutException e) {
      return check.name() + ": no answer within " + timeout.toMillis() + " ms";
    } catch (ExecutionException e) {
      running = null;
      return check.name() + ": " + e.getCause();
    }
  }
}

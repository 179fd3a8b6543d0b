package io.portcullis.agent.health;

import io.portcullis.election.threads.DaemonThreads;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor.AbortPolicy;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A check on a thread of its own. One that hangs is asked no second time until it comes back, and
 * fails meanwhile.
 */
final class CheckRunner {
  /** How long the thread waits for the next check before it ends. */
  private static final Duration MAX_IDLE = Duration.ofMinutes(1);

  private final HealthCheck check;
  private final Duration timeout;
  private final ExecutorService thread;
  private @Nullable Future<@Nullable String> running;
  private long begunNanos;

  CheckRunner(String election, HealthCheck check, Duration timeout) {
    this.check = check;
    this.timeout = timeout;
    this.thread =
        DaemonThreads.pool(
            () -> "portcullis-" + election + "-check",
            1,
            1,
            MAX_IDLE,
            new LinkedBlockingQueue<>(),
            new AbortPolicy());
  }

  void begin() {
    if (running == null) {
      begunNanos = System.nanoTime();
      running = thread.submit(this::failure);
    }
  }

  /** A check may ask code of the application's, which expects to find its own classes. */
  private @Nullable String failure() throws Exception {
    Thread.currentThread().setContextClassLoader(ClassLoader.getSystemClassLoader());
    return check.failure(timeout);
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

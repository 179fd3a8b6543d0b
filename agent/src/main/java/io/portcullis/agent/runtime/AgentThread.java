package io.portcullis.agent.runtime;

import io.portcullis.election.threads.DaemonThreads;
import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor.AbortPolicy;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one daemon thread for all that is not an election's own. Tasks come one after the other; one
 * that fails is reported, and the next goes on.
 */
final class AgentThread {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");

  private final ScheduledThreadPoolExecutor executor =
      DaemonThreads.scheduled("portcullis", new AbortPolicy());

  /** As soon as the tasks before it are done. */
  void soon(Runnable task) {
    executor.execute(reporting(task));
  }

  /** Once this much time has passed. */
  @SuppressWarnings("FutureReturnValueIgnored") // Failures are reported by the task itself.
  void after(Duration pause, Runnable task) {
    executor.schedule(reporting(task), pause.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Again and again, with this pause between. */
  @SuppressWarnings("FutureReturnValueIgnored")
  void every(Duration pause, Runnable task) {
    executor.scheduleWithFixedDelay(
        reporting(task), pause.toMillis(), pause.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static Runnable reporting(Runnable task) {
    return () -> {
      try {
        task.run();
      } catch (RuntimeException | Error e) { // Else the task would never come again.
        LOG.error("portcullis failed at a task of its own", e);
      }
    };
  }
}

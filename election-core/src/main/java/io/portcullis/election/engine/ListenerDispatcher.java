package io.portcullis.election.engine;

import io.portcullis.election.threads.DaemonThreads;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls listeners one after the other on a separate thread, so a listener that hangs delays only
 * other listeners. The queue is bounded; events that do not fit are dropped and logged.
 */
public final class ListenerDispatcher {
  private static final Logger LOG = LoggerFactory.getLogger(ListenerDispatcher.class);
  private static final int MAX_QUEUED = 1024;

  private final BlockingQueue<Runnable> queue = new LinkedBlockingQueue<>(MAX_QUEUED);
  private final Thread thread;
  private volatile boolean finishing;

  /** Whether an interrupt was logged. Accessed only by {@link #thread}. */
  private boolean interrupted;

  /** Creates a dispatcher that has not started. */
  public ListenerDispatcher(String name) {
    this.thread = DaemonThreads.interruptible(name, this::run);
  }

  /** Starts the thread. Call once. */
  public void start() {
    thread.start();
  }

  /** Queues {@code what} behind all earlier calls. */
  public void dispatch(Runnable what) {
    if (!queue.offer(what)) {
      LOG.error("listeners are {} events behind; one event is dropped", MAX_QUEUED);
    }
  }

  /** Ends the thread after all queued calls. Waits for that, unless called by a listener. */
  public void finish(Duration atMost) throws InterruptedException {
    finishing = true;
    queue.offer(() -> {});
    if (Thread.currentThread() != thread) {
      thread.join(Math.max(1, atMost.toMillis()));
    }
  }

  private void run() {
    while (!finishing || !queue.isEmpty()) {
      try {
        call(queue.take());
      } catch (InterruptedException e) {
        logInterrupt("while it waited for events");
      }
    }
  }

  private void call(Runnable what) {
    try {
      what.run();
    } catch (Throwable e) { // Foreign code: any exception ends only this call.
      LOG.error("a listener failed", e);
    }
    if (Thread.interrupted()) {
      logInterrupt("by or during a call of a listener");
    }
  }

  /** Logs the first interrupt only, since listeners may interrupt this thread repeatedly. */
  private void logInterrupt(String when) {
    if (!interrupted) {
      interrupted = true;
      LOG.warn(
          "thread {} was interrupted {}; it continues to call listeners", thread.getName(), when);
    }
  }
}

package io.portcullis.election.engine;

import io.portcullis.election.threads.DaemonThreads;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls listeners, one after the other, on a thread of their own: a listener that hangs delays
 * other listeners and nothing else. The queue is bounded; what does not fit is dropped and said so.
 */
public final class ListenerDispatcher {
  private static final Logger LOG = LoggerFactory.getLogger(ListenerDispatcher.class);
  private static final int MAX_QUEUED = 1024;

  private final BlockingQueue<Runnable> waiting = new LinkedBlockingQueue<>(MAX_QUEUED);
  private final Thread thread;
  private volatile boolean finishing;

  /** Whether an interrupt was logged; the own thread's. */
  private boolean interrupted;

  /** An announcer that has not started. */
  public ListenerDispatcher(String name) {
    this.thread = DaemonThreads.interruptible(name, this::run);
  }

  /** Begins to call. Call once. */
  public void start() {
    thread.start();
  }

  /** Calls {@code what} after all that came before. */
  public void dispatch(Runnable what) {
    if (!waiting.offer(what)) {
      LOG.error("listeners are {} announcements behind; one is dropped", MAX_QUEUED);
    }
  }

  /** Ends after what is waiting has been told; waits for that, unless called by a listener. */
  public void finish(Duration atMost) throws InterruptedException {
    finishing = true;
    waiting.offer(() -> {});
    if (Thread.currentThread() != thread) {
      thread.join(Math.max(1, atMost.toMillis()));
    }
  }

  private void run() {
    while (!finishing || !waiting.isEmpty()) {
      try {
        call(waiting.take());
      } catch (InterruptedException e) {
        noteInterrupt("while it waited for news");
      }
    }
  }

  private void call(Runnable what) {
    try {
      what.run();
    } catch (Throwable e) { // Somebody else's code: whatever it throws ends this call alone.
      LOG.error("a listener failed", e);
    }
    if (Thread.interrupted()) {
      noteInterrupt("by a listener, or during a call of one");
    }
  }

  /** Logged once, since listeners may interrupt this thread again and again. */
  private void noteInterrupt(String when) {
    if (!interrupted) {
      interrupted = true;
      LOG.warn(
          "thread {} was interrupted {}; it continues to call listeners", thread.getName(), when);
    }
  }
}

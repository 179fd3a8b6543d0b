package io.portcullis.election.threads;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts interrupts that were ignored, and logs the first of them and then one a minute. */
final class IgnoredInterrupts {
  private static final long MIN_LOG_INTERVAL_NANOS = Duration.ofMinutes(1).toNanos();

  private static final AtomicLong COUNT = new AtomicLong();
  private static final AtomicLong LAST_LOG_NANOS =
      new AtomicLong(System.nanoTime() - MIN_LOG_INTERVAL_NANOS);

  private IgnoredInterrupts() {}

  /** Called by the interrupting thread, so it must not throw or wait. */
  static void add(Thread target) {
    long count = COUNT.incrementAndGet();
    long last = LAST_LOG_NANOS.get();
    long now = System.nanoTime();
    if (now - last >= MIN_LOG_INTERVAL_NANOS && LAST_LOG_NANOS.compareAndSet(last, now)) {
      Log.LOG.warn(
          "portcullis ignored an interrupt of its thread {} by thread {} ({} ignored so far):"
              + " election, stores and log go on. Interrupt only threads that the application has"
              + " started.",
          target.getName(),
          Thread.currentThread().getName(),
          count);
    }
  }

  /** Made when first needed: the log itself is written by a thread of this package. */
  private static final class Log {
    static final Logger LOG = LoggerFactory.getLogger("portcullis");
  }
}

package io.portcullis.election.threads;

import java.security.AccessController;
import java.security.PrivilegedAction;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor.AbortPolicy;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates all threads of this library and of the agent.
 *
 * <p>Store, fence and log threads live as long as the JVM, but some are started by a call on an
 * application thread. So a thread created here inherits nothing from the thread that creates it:
 *
 * <ul>
 *   <li>its group is a child of the system group, so that {@link ThreadGroup#interrupt()} on the
 *       application's group does not reach it;
 *   <li>its context class loader is the one that loaded this class;
 *   <li>it has no inheritable thread locals, and normal priority;
 *   <li>its inherited access control context, in which JDKs before 24 record the class loader of
 *       every caller on the stack, contains only this class.
 * </ul>
 *
 * <p>It also ignores interrupts that do not come from its owner: see {@link OwnedThread}.
 */
public final class DaemonThreads {
  private static final ThreadGroup GROUP = makeGroup();

  private DaemonThreads() {}

  @SuppressWarnings("removal") // A security manager on JDK 17 may protect the system group.
  private static ThreadGroup makeGroup() {
    return AccessController.doPrivileged(
        (PrivilegedAction<ThreadGroup>) () -> new ThreadGroup(systemGroup(), "portcullis"));
  }

  private static ThreadGroup systemGroup() {
    ThreadGroup group = Thread.currentThread().getThreadGroup();
    while (group.getParent() != null) {
      group = group.getParent();
    }
    return group;
  }

  /** Creates a thread that ignores all interrupts. Not started yet. */
  public static Thread unstarted(String name, Runnable task) {
    return make(name, () -> false, task);
  }

  /**
   * Creates a thread that ignores interrupts until its owner ends it. Not started yet.
   *
   * @param ending whether the owner has ended it; set before the owner interrupts it
   */
  public static Thread unstarted(String name, BooleanSupplier ending, Runnable task) {
    return make(name, ending, task);
  }

  /**
   * Creates a thread for code of the application or of an extension, which may use interrupts for
   * its own purposes. Not started yet.
   */
  public static Thread interruptible(String name, Runnable task) {
    return make(name, () -> true, task);
  }

  /**
   * Creates a thread factory for libraries that create their own executors.
   *
   * @param ending whether these executors are being shut down; their threads ignore interrupts
   *     until then
   */
  public static ThreadFactory factory(String name, BooleanSupplier ending) {
    return task -> make(name, ending, task);
  }

  /** Creates an executor with one thread that rejects tasks that do not fit into its queue. */
  public static ThreadPoolExecutor single(String name, BlockingQueue<Runnable> queue) {
    return pool(() -> name, 1, 1, Duration.ZERO, queue, new AbortPolicy());
  }

  /**
   * Creates an executor whose threads accept interrupts once it is shut down.
   *
   * @param names supplies the name of each new thread
   * @param idle a thread ends after this time without a task; zero if threads never end
   */
  public static ThreadPoolExecutor pool(
      Supplier<String> names,
      int core,
      int most,
      Duration idle,
      BlockingQueue<Runnable> queue,
      RejectedExecutionHandler onReject) {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(core, most, idle.toMillis(), TimeUnit.MILLISECONDS, queue, onReject);
    pool.allowCoreThreadTimeOut(!idle.isZero());
    pool.setThreadFactory(task -> make(names.get(), pool::isShutdown, task));
    return pool;
  }

  /** Creates an executor with one thread for scheduled tasks. */
  public static ScheduledThreadPoolExecutor scheduled(
      String name, RejectedExecutionHandler onReject) {
    ScheduledThreadPoolExecutor pool = new ScheduledThreadPoolExecutor(1, onReject);
    pool.setThreadFactory(task -> make(name, pool::isShutdown, task));
    return pool;
  }

  /**
   * Runs privileged, because this excludes the callers' stack from the access control context on
   * JDKs that still record it.
   */
  @SuppressWarnings({
    "removal",
    "ThreadPriorityCheck"
  }) // Sets a fixed priority instead of inheriting the caller's.
  private static Thread make(String name, BooleanSupplier ending, Runnable task) {
    return AccessController.doPrivileged(
        (PrivilegedAction<Thread>)
            () -> {
              Thread thread = new OwnedThread(GROUP, task, name, ending);
              thread.setDaemon(true);
              thread.setPriority(Thread.NORM_PRIORITY);
              thread.setContextClassLoader(DaemonThreads.class.getClassLoader());
              return thread;
            });
  }

  /**
   * A thread that only its owner can interrupt. An interrupt would end more than the current wait:
   * it closes the channels that the thread uses, including sockets of drivers and of the quorum. So
   * an interrupt is dropped before it sets the flag, and logged, unless the owner is ending the
   * thread. {@link ThreadGroup#interrupt()} calls this method too.
   */
  private static final class OwnedThread extends Thread {
    private final BooleanSupplier ending;

    OwnedThread(ThreadGroup group, Runnable task, String name, BooleanSupplier ending) {
      super(group, task, name, 0, false);
      this.ending = ending;
    }

    @Override
    public void interrupt() {
      if (ending.getAsBoolean()) {
        super.interrupt();
      } else {
        IgnoredInterrupts.add(this);
      }
    }
  }

  /** Counts ignored interrupts, and logs the first one and then at most one a minute. */
  static final class IgnoredInterrupts {
    private static final long MIN_LOG_INTERVAL_NANOS = Duration.ofMinutes(1).toNanos();

    private static final AtomicLong COUNT = new AtomicLong();
    private static final AtomicLong LAST_LOG_NANOS =
        new AtomicLong(System.nanoTime() - MIN_LOG_INTERVAL_NANOS);

    private IgnoredInterrupts() {}

    /**
     * Records an ignored interrupt. Called by the interrupting thread, so it must not throw or
     * block.
     */
    static void add(Thread target) {
      long count = COUNT.incrementAndGet();
      long last = LAST_LOG_NANOS.get();
      long now = System.nanoTime();
      if (now - last >= MIN_LOG_INTERVAL_NANOS && LAST_LOG_NANOS.compareAndSet(last, now)) {
        Log.LOG.warn(
            "portcullis ignored an interrupt of its thread {} by thread {} ({} ignored so far):"
                + " election, stores and log continue. Interrupt only threads that the application"
                + " has started.",
            target.getName(),
            Thread.currentThread().getName(),
            count);
      }
    }

    /** Created at first use, because the log itself is written by a thread of this package. */
    private static final class Log {
      static final Logger LOG = LoggerFactory.getLogger("portcullis");
    }
  }
}

package io.portcullis.gate;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/**
 * Limits how fast one thread can be refused by one rule: once a thread has been refused faster than
 * the limit for a second, each further refusal starts with a pause. Without it, application code
 * that retries in a loop keeps a processor busy on every standby and fills the application's log.
 *
 * <p>A pause only delays a refusal and never changes it: the call is refused even if the gate opens
 * meanwhile. The call does not count as in flight during the pause, so no drain waits for it. A
 * thread whose interrupt flag is set is not delayed, and an interrupt ends the pause; the flag
 * stays set. Threads of known event loops are not delayed, because one thread serves many clients
 * there: their refusals are no loop, and a pause would delay them all.
 *
 * <p>The state is an array of fixed size, indexed by a hash of the thread's id, without references
 * to threads. Threads with the same hash share the limit, so a thread may be delayed because of
 * another one, by the maximum pause. Elements are updated without a lock; a lost update makes the
 * limit slightly higher.
 */
public final class RefusalRateLimiter implements Refusal {
  /** Longest maximum pause: the application's thread may hold locks and connections. */
  public static final Duration MAX_PAUSE = Duration.ofSeconds(1);

  /** Highest limit. */
  public static final int MAX_REFUSALS_PER_SECOND = 1_000_000;

  private static final int INDEX_BITS = 10;

  /** Types of event loop threads, by the ends of their names, since libraries relocate them. */
  private static final List<String> EVENT_LOOPS =
      List.of(
          "netty.util.concurrent.FastThreadLocalThread",
          "reactor.core.scheduler.NonBlocking",
          "org.xnio.XnioIoThread");

  private final Refusal refusal;
  private final Pace pace;
  private final LongConsumer pause;

  /** Times are relative to this one, so that the initial value of an element is in the past. */
  private final long originNanos;

  /** For each hash, when its refusals are paid off: see {@link Pace}. */
  private final AtomicLongArray paidOffNanos = new AtomicLongArray(1 << INDEX_BITS);

  RefusalRateLimiter(Refusal refusal, Pace pace, long originNanos, LongConsumer pause) {
    this.refusal = refusal;
    this.pace = pace;
    this.originNanos = originNanos;
    this.pause = pause;
  }

  /**
   * Limits a refusal that throws or skips the body. Not for refusals that wait or only observe.
   *
   * @param refusalsPerSecond limit for one thread, at most {@link #MAX_REFUSALS_PER_SECOND}
   * @param maxPause maximum delay of one call, at most {@link #MAX_PAUSE}; if it is shorter than
   *     the interval between refusals at the limit, threads may exceed the limit
   */
  public static Refusal limit(Refusal refusal, int refusalsPerSecond, Duration maxPause) {
    return new RefusalRateLimiter(
        refusal, Pace.of(refusalsPerSecond, maxPause), System.nanoTime(), RefusalRateLimiter::park);
  }

  /**
   * Pauses if the thread is too fast, then refuses.
   *
   * @param sinceNanos serves as the present time, which saves a clock read: it is earlier only if
   *     the call has waited before, and a thread that waits is not fast
   */
  @Override
  public Verdict refuse(Checkpoint checkpoint, long sinceNanos) {
    long nowNanos = sinceNanos - originNanos;
    int index = (int) (CallLedger.hashOfThisThread() >>> (Long.SIZE - INDEX_BITS));
    long nextNanos = pace.afterRefusal(paidOffNanos.getOpaque(index), nowNanos);
    paidOffNanos.setOpaque(index, nextNanos);
    long pauseNanos = pace.pauseNanos(nextNanos, nowNanos);
    if (pauseNanos > 0 && mayPause(Thread.currentThread())) {
      checkpoint.ledger.slow();
      pause.accept(pauseNanos);
    }
    return refusal.refuse(checkpoint, sinceNanos);
  }

  @Override
  public @Nullable Object answer(Checkpoint checkpoint, String method) {
    return refusal.answer(checkpoint, method);
  }

  private static boolean mayPause(Thread thread) {
    return !thread.isInterrupted() && !isEventLoop(thread.getClass());
  }

  private static boolean isEventLoop(Class<?> type) {
    for (Class<?> each = type; each != null && each != Thread.class; each = each.getSuperclass()) {
      if (isNamedLikeEventLoop(each)
          || Arrays.stream(each.getInterfaces())
              .anyMatch(RefusalRateLimiter::isNamedLikeEventLoop)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isNamedLikeEventLoop(Class<?> type) {
    return EVENT_LOOPS.stream().anyMatch(type.getName()::endsWith);
  }

  /**
   * Parks the thread until the time has passed or the thread is interrupted. A permit that the
   * application has given the thread ends {@link LockSupport#parkNanos} early and is given back, so
   * that the application's next park does not hang.
   */
  private static void park(long nanos) {
    long endNanos = System.nanoTime() + nanos;
    boolean tookPermit = false;
    long leftNanos = nanos;
    while (leftNanos > 0 && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(RefusalRateLimiter.class, leftNanos);
      leftNanos = endNanos - System.nanoTime();
      tookPermit |= leftNanos > 0;
    }
    if (tookPermit) {
      LockSupport.unpark(Thread.currentThread());
    }
  }

  /**
   * Decides how long a thread pauses; pure. Each refusal adds one interval to the time at which the
   * thread's refusals are paid off. That time may be up to {@link #BURST_NANOS} ahead without a
   * pause, and never further ahead than burst and maximum pause together: so a thread that stops
   * looping is at full speed again a second later.
   *
   * @param intervalNanos time between two refusals at the limit
   */
  record Pace(long intervalNanos, long maxPauseNanos) {
    static final long BURST_NANOS = TimeUnit.SECONDS.toNanos(1);

    static Pace of(int refusalsPerSecond, Duration maxPause) {
      if (refusalsPerSecond < 1 || refusalsPerSecond > MAX_REFUSALS_PER_SECOND) {
        throw new IllegalArgumentException("not a limit: " + refusalsPerSecond + " per second");
      }
      if (maxPause.isNegative() || maxPause.compareTo(MAX_PAUSE) > 0) {
        throw new IllegalArgumentException("not a maximum pause: " + maxPause);
      }
      return new Pace(BURST_NANOS / refusalsPerSecond, maxPause.toNanos());
    }

    /** When the refusals are paid off, after one more. */
    long afterRefusal(long paidOffNanos, long nowNanos) {
      long aheadNanos = Math.max(0, paidOffNanos - nowNanos) + intervalNanos;
      return nowNanos + Math.min(aheadNanos, BURST_NANOS + maxPauseNanos);
    }

    /** The pause before a refusal that {@link #afterRefusal} has counted; 0 for none. */
    long pauseNanos(long paidOffNanos, long nowNanos) {
      return Math.max(0, paidOffNanos - nowNanos - BURST_NANOS);
    }
  }
}

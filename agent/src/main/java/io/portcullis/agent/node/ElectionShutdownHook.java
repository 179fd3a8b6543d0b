package io.portcullis.agent.node;

import io.portcullis.election.threads.DaemonThreads;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Graceful shutdown of one election. When the JVM shuts down, the lease is kept and renewed while
 * the application's own shutdown hooks run, at most for the linger time, the key {@code
 * shutdown-linger}. Then the gate shuts and the lease is released, so that another node can lead at
 * once.
 */
public final class ElectionShutdownHook {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");

  private final String election;
  private final Duration linger;
  private final Runnable begin;
  private final Runnable leave;
  private final OtherShutdownHooks hooks;

  private ElectionShutdownHook(
      String election, Duration linger, Runnable begin, Runnable leave, OtherShutdownHooks hooks) {
    this.election = election;
    this.linger = linger;
    this.begin = begin;
    this.leave = leave;
    this.hooks = hooks;
  }

  /**
   * Registers a shutdown hook that calls {@code begin} when the JVM starts to shut down, and {@code
   * leave} when the application's own hooks have ended.
   */
  public static void register(
      String election,
      Duration linger,
      Runnable begin,
      Runnable leave,
      Instrumentation instrumentation) {
    ElectionShutdownHook shutdown =
        new ElectionShutdownHook(
            election, linger, begin, leave, OtherShutdownHooks.open(instrumentation));
    Thread hook = DaemonThreads.unstarted("portcullis-" + election + "-shutdown", shutdown::run);
    try {
      Runtime.getRuntime().addShutdownHook(hook);
    } catch (IllegalStateException e) { // The JVM is already shutting down.
      leave.run();
    }
  }

  private void run() {
    begin.run();
    try {
      lingerFor(hooks.except(Thread.currentThread()));
    } catch (InterruptedException e) {
      LOG.warn("portcullis election={} interrupted while lingering", election);
    }
    leave.run();
  }

  private void lingerFor(List<Thread> others) throws InterruptedException {
    long endNanos = System.nanoTime() + linger.toNanos();
    for (Thread other : others) {
      if (!isOurs(other) && !hasEnded(other, endNanos)) {
        LOG.warn(
            "portcullis election={} the shutdown hook {} has not ended within {}; leaving without it",
            election,
            other.getName(),
            linger);
        return;
      }
    }
  }

  private static boolean isOurs(Thread hook) {
    return hook.getName().startsWith("portcullis-");
  }

  /** A hook that the JVM has not started yet counts as not ended. */
  private static boolean hasEnded(Thread hook, long endNanos) throws InterruptedException {
    while (hook.getState() != Thread.State.TERMINATED) {
      long leftMillis = (endNanos - System.nanoTime()) / 1_000_000;
      if (leftMillis <= 0) {
        return false;
      }
      if (hook.getState() == Thread.State.NEW) {
        Thread.onSpinWait();
        java.util.concurrent.locks.LockSupport.parkNanos(1_000_000);
      } else {
        hook.join(leftMillis);
      }
    }
    return true;
  }

  /**
   * Finds the other shutdown hooks of this JVM.
   *
   * <p>The JVM starts all hooks at once and does not notify them when the others have ended. The
   * lease must be kept as long as one of them may still write. So this class reads the JVM's own
   * registry of hooks, which an agent can open to itself. If that fails, no hook is waited for.
   */
  static final class OtherShutdownHooks {
    private static final Logger LOG = LoggerFactory.getLogger("portcullis");

    /** The JVM's registry, guarded by the JVM's own lock; null if it could not be opened. */
    private final @Nullable Map<?, ?> register;

    private OtherShutdownHooks(@Nullable Map<?, ?> register) {
      this.register = register;
    }

    /** Opens the JVM's registry of hooks. */
    static OtherShutdownHooks open(Instrumentation instrumentation) {
      try {
        Module base = Object.class.getModule();
        instrumentation.redefineModule(
            base,
            Set.of(),
            Map.of(),
            Map.of("java.lang", Set.of(OtherShutdownHooks.class.getModule())),
            Set.of(),
            Map.of());
        Class<?> owner = Class.forName("java.lang.ApplicationShutdownHooks");
        Field hooks = owner.getDeclaredField("hooks");
        hooks.setAccessible(true);
        return new OtherShutdownHooks((Map<?, ?>) hooks.get(null));
      } catch (ReflectiveOperationException | RuntimeException e) {
        LOG.warn(
            "portcullis can't see the application's shutdown hooks on this JVM ({}); on shutdown the"
                + " lease is released without waiting for them",
            e.toString());
        return new OtherShutdownHooks(null);
      }
    }

    /**
     * All hooks except {@code own}. Must be called from a hook: by then hooks can no longer be
     * added or removed, so the registry does not change.
     */
    List<Thread> except(Thread own) {
      List<Thread> others = new ArrayList<>();
      if (register != null) {
        for (Object hook : register.keySet()) {
          if (hook instanceof Thread thread && thread != own) {
            others.add(thread);
          }
        }
      }
      return others;
    }
  }
}

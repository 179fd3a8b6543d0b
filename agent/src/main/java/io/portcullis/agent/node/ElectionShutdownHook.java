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
 * One election's way out. When the JVM is told to end, the lease is kept, and renewed, while the
 * application's own shutdown hooks run, at most for the linger. Then the gate shuts and the lease
 * is given back, so that another node leads at once.
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
   * Arranges that {@code begin} is called when the JVM is told to end, and {@code leave} when the
   * application has finished.
   */
  public static void register(
      String election,
      Duration linger,
      Runnable begin,
      Runnable leave,
      Instrumentation instrumentation) {
    ElectionShutdownHook farewell =
        new ElectionShutdownHook(
            election, linger, begin, leave, OtherShutdownHooks.open(instrumentation));
    Thread hook = DaemonThreads.unstarted("portcullis-" + election + "-farewell", farewell::run);
    try {
      Runtime.getRuntime().addShutdownHook(hook);
    } catch (IllegalStateException e) { // The JVM ends already, before anything was begun.
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

  /** A hook that the JVM has not got round to starting yet has not ended either. */
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
   * The shutdown hooks of everybody else in this JVM.
   *
   * <p>The JVM starts all hooks at once and tells none of them when the others have ended. Yet the
   * lease must be kept as long as one of them may still write. So this looks into the JVM's own
   * register of hooks, which an agent can open to itself. Where that fails, nobody is waited for.
   */
  static final class OtherShutdownHooks {
    private static final Logger LOG = LoggerFactory.getLogger("portcullis");

    /** The register itself, kept by the JVM under its own lock; null if it could not be opened. */
    private final @Nullable Map<?, ?> register;

    private OtherShutdownHooks(@Nullable Map<?, ?> register) {
      this.register = register;
    }

    /** Opens the register. */
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
     * All hooks but {@code own}. Call it from a hook: by then nobody can add or remove one, so the
     * register stands still.
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

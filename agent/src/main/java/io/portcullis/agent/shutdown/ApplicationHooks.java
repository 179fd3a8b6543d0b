package io.portcullis.agent.shutdown;

import java.lang.instrument.Instrumentation;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shutdown hooks of everybody else in this JVM.
 *
 * <p>The JVM starts all hooks at once and tells none of them when the others have ended. Yet the
 * lease must be kept as long as one of them may still write. So this looks into the JVM's own
 * register of hooks, which an agent can open to itself. Where that fails, nobody is waited for.
 */
final class ApplicationHooks {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");

  /** The register itself, kept by the JVM under its own lock; null if it could not be opened. */
  private final @Nullable Map<?, ?> register;

  private ApplicationHooks(@Nullable Map<?, ?> register) {
    this.register = register;
  }

  /** Opens the register. */
  static ApplicationHooks open(Instrumentation instrumentation) {
    try {
      Module base = Object.class.getModule();
      instrumentation.redefineModule(
          base,
          Set.of(),
          Map.of(),
          Map.of("java.lang", Set.of(ApplicationHooks.class.getModule())),
          Set.of(),
          Map.of());
      Class<?> owner = Class.forName("java.lang.ApplicationShutdownHooks");
      Field hooks = owner.getDeclaredField("hooks");
      hooks.setAccessible(true);
      return new ApplicationHooks((Map<?, ?>) hooks.get(null));
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.warn(
          "portcullis can't see the application's shutdown hooks on this JVM ({}); on shutdown the"
              + " lease is released without waiting for them",
          e.toString());
      return new ApplicationHooks(null);
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

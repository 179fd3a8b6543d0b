package io.portcullis.agent.start;

import java.lang.instrument.Instrumentation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.locks.LockSupport;

/**
 * When the agent may touch JMX. The platform's MBean server brings up {@code java.util.logging},
 * and both take the classes that the application configures for them only if these can be found
 * when they are first touched. So where such classes are configured, the application goes first.
 */
final class JmxManners {
  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final String LOG_MANAGER = "java.util.logging.manager";
  private static final String SERVER_BUILDER = "javax.management.builder.initial";

  /** Sets its log manager by itself, after its {@code main} has begun. */
  private static final String JBOSS_MODULES = "org.jboss.modules";

  private JmxManners() {}

  /** Waits until the application has loaded what it configures; on a thread that may wait. */
  static void letApplicationGoFirst(Instrumentation instrumentation, Properties properties) {
    if (properties.getProperty("sun.java.command", "").contains(JBOSS_MODULES)) {
      while (properties.getProperty(LOG_MANAGER) == null) {
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    }
    List<String> awaited = configured(properties);
    while (!awaited.isEmpty()) {
      for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
        awaited.remove(loaded.getName());
      }
      if (!awaited.isEmpty()) {
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    }
  }

  private static List<String> configured(Properties properties) {
    List<String> classes = new ArrayList<>();
    for (String key : List.of(LOG_MANAGER, SERVER_BUILDER)) {
      String name = properties.getProperty(key);
      if (name != null && !name.isBlank()) {
        classes.add(name.trim());
      }
    }
    return classes;
  }
}

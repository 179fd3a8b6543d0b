package io.portcullis.agent.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.instrument.Instrumentation;
import java.net.URL;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.regex.Pattern;

/**
 * Delays the agent's first use of JMX. Creating the platform MBean server initializes the JDK's
 * logging, and both use the classes that the application configures for them only if these can be
 * found at that moment. If such classes are configured, the agent therefore waits until the
 * application has loaded them. It also waits while the application starts: JMX loads about 500
 * classes, which would compete with the application's own class loading.
 */
final class JmxStartDelay {
  private static final Duration POLL_INTERVAL = Duration.ofMillis(500);
  private static final String LOG_MANAGER = "java.util.logging.manager";
  private static final String SERVER_BUILDER = "javax.management.builder.initial";

  /** Service file of the class from which the JDK gets loggers, first when JMX is initialized. */
  private static final String LOGGER_FINDER = "META-INF/services/java.lang.System$LoggerFinder";

  /** Launcher that sets the log manager property itself, after its {@code main} has started. */
  private static final Pattern JBOSS_MODULES =
      Pattern.compile("jboss-modules|org\\.jboss\\.modules");

  /** Maximum wait for a class or property that the application may never load or set. */
  private static final Duration MAX_CONFIGURED_CLASS_WAIT = Duration.ofSeconds(30);

  /** Maximum wait for startup to end, for an application that loads classes all the time. */
  private static final Duration MAX_STARTUP_WAIT = Duration.ofSeconds(10);

  /** Class loads per poll interval up to which the application counts as started. */
  private static final int MAX_CALM_CLASS_LOADS = 100;

  private JmxStartDelay() {}

  /** Blocks until JMX may be used. */
  static void awaitApplicationStart(Instrumentation instrumentation, Properties properties) {
    if (JBOSS_MODULES.matcher(properties.getProperty("sun.java.command", "")).find()) {
      await(() -> properties.getProperty(LOG_MANAGER) != null, MAX_CONFIGURED_CLASS_WAIT);
    }
    await(
        () -> areLoaded(configured(properties), instrumentation), Duration.ofNanos(Long.MAX_VALUE));
    Set<String> finder = loggerFinder();
    await(() -> areLoaded(finder, instrumentation), MAX_CONFIGURED_CLASS_WAIT);
    awaitFewClassLoads(() -> instrumentation.getAllLoadedClasses().length, POLL_INTERVAL);
  }

  /** Waits until few classes are loaded within a pause: most applications have then started. */
  static void awaitFewClassLoads(IntSupplier loadedClasses, Duration pause) {
    long start = System.nanoTime();
    int before = loadedClasses.getAsInt();
    boolean calm = false;
    while (!calm && System.nanoTime() - start < MAX_STARTUP_WAIT.toNanos()) {
      LockSupport.parkNanos(pause.toNanos());
      int now = loadedClasses.getAsInt();
      calm = now - before <= MAX_CALM_CLASS_LOADS;
      before = now;
    }
  }

  private static void await(BooleanSupplier condition, Duration atMost) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean() && System.nanoTime() - start < atMost.toNanos()) {
      LockSupport.parkNanos(POLL_INTERVAL.toNanos());
    }
  }

  private static boolean areLoaded(Set<String> names, Instrumentation instrumentation) {
    Set<String> awaited = new HashSet<>(names);
    if (!awaited.isEmpty()) {
      for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
        awaited.remove(loaded.getName());
      }
    }
    return awaited.isEmpty();
  }

  private static Set<String> configured(Properties properties) {
    Set<String> classes = new HashSet<>();
    for (String key : List.of(LOG_MANAGER, SERVER_BUILDER)) {
      String name = properties.getProperty(key);
      if (name != null && !name.isBlank()) {
        classes.add(name.trim());
      }
    }
    return classes;
  }

  /** Reads the first line of the first such file on the class path, as the JDK does. */
  private static Set<String> loggerFinder() {
    URL file = ClassLoader.getSystemResource(LOGGER_FINDER);
    if (file == null) {
      return Set.of();
    }
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(file.openStream(), UTF_8))) {
      return lines
          .lines()
          .map(line -> line.replaceFirst("#.*", "").trim())
          .filter(line -> !line.isEmpty())
          .findFirst()
          .map(Set::of)
          .orElse(Set.of());
    } catch (IOException e) { // If the jar is unreadable, its classes are too.
      return Set.of();
    }
  }
}

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
 * When the agent may touch JMX. The platform's MBean server brings up the JDK's logging, and both
 * take the classes that the application configures for them only if these can be found when they
 * are first touched. So where such classes are configured, the application goes first. It does so
 * too while it starts: JMX is some 500 classes, which would be loaded beside all of its own.
 */
final class JmxStartDelay {
  private static final Duration POLL_INTERVAL = Duration.ofMillis(500);
  private static final String LOG_MANAGER = "java.util.logging.manager";
  private static final String SERVER_BUILDER = "javax.management.builder.initial";

  /** Names a class that the JDK asks for loggers, first of all when JMX comes up. */
  private static final String LOGGER_FINDER = "META-INF/services/java.lang.System$LoggerFinder";

  /** Sets its log manager by itself, after its {@code main} has begun, if it has one. */
  private static final Pattern JBOSS_MODULES =
      Pattern.compile("jboss-modules|org\\.jboss\\.modules");

  /** For what the application may well never do. */
  private static final Duration MAX_CONFIGURED_CLASS_WAIT = Duration.ofSeconds(30);

  /** For an application that loads classes all the time. */
  private static final Duration MAX_STARTUP_WAIT = Duration.ofSeconds(10);

  /** So many classes are loaded within a pause by what is no start. */
  private static final int MAX_CALM_CLASS_LOADS = 100;

  private JmxStartDelay() {}

  /** Waits until the application has loaded what it configures; on a thread that may wait. */
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

  /** Until few classes are loaded within a pause, which is when most applications have started. */
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

  /** By the class path's first file of that name, and its first line, as the JDK chooses. */
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
    } catch (IOException e) { // The application has made its jars unreadable; so are its classes.
      return Set.of();
    }
  }
}

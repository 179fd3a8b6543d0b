package io.portcullis.benchmarks.startup;

import io.portcullis.benchmarks.failover.MeasurementException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;

/**
 * Measures what an agent adds to the start of a Spring Boot application and prints two tables for
 * each JDK; started by {@code benchmarks/start-up}. Exit code 0: measured, whether the targets were
 * reached or not; 2: measuring failed.
 */
public final class StartUp {
  private static final int ROUNDS = 9;
  private static final int QUICK_ROUNDS = 2;

  private StartUp() {}

  /** Arguments: optionally {@code --quick}, then the homes of JDKs. */
  public static void main(String[] args) throws Exception {
    List<String> homes = new ArrayList<>(List.of(args));
    boolean quick = homes.remove("--quick");
    if (homes.stream().anyMatch(home -> !Files.isDirectory(Path.of(home)))) {
      System.err.println("Usage: start-up [--quick] [home of a JDK]...");
      System.exit(2);
    }
    if (homes.isEmpty()) {
      homes.add(System.getProperty("java.home"));
    }
    System.exit(run(homes.stream().map(Path::of).toList(), quick));
  }

  private static int run(List<Path> jdks, boolean quick) throws Exception {
    try (StartupEnvironment environment = StartupEnvironment.open()) {
      Runtime.getRuntime().addShutdownHook(new Thread(environment::close, "environment-end"));
      StringBuilder text = new StringBuilder();
      for (Path jdk : jdks) {
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        int rounds = quick ? QUICK_ROUNDS : ROUNDS;
        if (!quick) {
          round(environment, jdk, 0); // Not counted: it warms up the page cache.
        }
        Map<AttachedAgent, List<StartMeasurement>> starts = new EnumMap<>(AttachedAgent.class);
        for (int i = 0; i < rounds; i++) {
          round(environment, jdk, i)
              .forEach(
                  (agent, start) ->
                      starts.computeIfAbsent(agent, any -> new ArrayList<>()).add(start));
        }
        text.append('\n').append(circumstances(jdk, rounds, load)).append("\n\n");
        text.append(new Report(starts).render());
      }
      System.out.print(text);
      return 0;
    } catch (MeasurementException e) {
      System.err.println(e.getMessage());
      return 2;
    }
  }

  /** Each round starts with another setting, so that none always follows the same one. */
  private static Map<AttachedAgent, StartMeasurement> round(
      StartupEnvironment environment, Path jdk, int number)
      throws IOException, InterruptedException {
    Map<AttachedAgent, StartMeasurement> starts = new EnumMap<>(AttachedAgent.class);
    AttachedAgent[] all = AttachedAgent.values();
    for (int i = 0; i < all.length; i++) {
      AttachedAgent agent = all[(number + i) % all.length];
      StartMeasurement start = environment.start(jdk, agent);
      starts.put(agent, start);
      System.out.printf(
          Locale.ROOT,
          "%s, %s: %d ms, %d KiB%n",
          jdk.getFileName(),
          agent.label(),
          start.wall().toMillis(),
          start.peakKib());
    }
    return starts;
  }

  private static String circumstances(Path jdk, int rounds, double load) throws IOException {
    double after = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    return String.format(
        Locale.ROOT,
        "JDK %s, %d cores, load %.1f at the start, %.1f at the end; %d rounds",
        version(jdk),
        Runtime.getRuntime().availableProcessors(),
        load,
        after,
        rounds);
  }

  private static String version(Path jdk) throws IOException {
    Properties release = new Properties();
    try (var in = Files.newBufferedReader(jdk.resolve("release"))) {
      release.load(in);
    }
    return Objects.requireNonNullElse(release.getProperty("JAVA_RUNTIME_VERSION"), "unknown")
        .replace("\"", "");
  }
}

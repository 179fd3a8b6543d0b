package io.portcullis.benchmarks.quorum;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Measures a quorum election; started by {@code benchmarks/quorum}. Exit code 0: all targets were
 * reached; 1: some were not; 2: measuring failed.
 */
public final class QuorumSpeed {
  private QuorumSpeed() {}

  public static void main(String[] args) throws IOException {
    Options options;
    try {
      options = Options.parse(List.of(args));
    } catch (IllegalArgumentException e) {
      System.err.println("Not understood: " + e.getMessage() + "\n" + Options.USAGE);
      System.exit(2);
      return;
    }
    System.exit(run(options));
  }

  private static int run(Options options) throws IOException {
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    try (QuorumEnvironment environment = QuorumEnvironment.open(options.timing())) {
      Runtime.getRuntime().addShutdownHook(new Thread(environment::close, "environment-end"));
      Report report = new Report(measure(environment, options));
      System.out.println();
      System.out.println(circumstances(load, options.timing()));
      System.out.println();
      System.out.print(report.render());
      return report.allTargetsReached() ? 0 : 1;
    } catch (MeasurementException e) {
      System.err.println(e.getMessage());
      return 2;
    }
  }

  private static List<PartResult> measure(QuorumEnvironment environment, Options options) {
    List<PartResult> found = new ArrayList<>();
    for (BenchmarkPart part : options.parts()) {
      found.add(
          switch (part) {
            case COLD_START -> ColdStart.measure(environment, options.quick());
            case HAND_OVER -> HandOver.measure(environment, options.quick());
            case TRAFFIC -> Traffic.measure(environment, options.quick());
          });
    }
    return found;
  }

  private static String circumstances(double load, Map<String, String> timing) {
    String changes =
        timing.isEmpty()
            ? "default timing"
            : timing.entrySet().stream().map(Map.Entry::toString).collect(Collectors.joining(", "));
    return String.format(
        Locale.ROOT,
        "JDK %s, %d cores, load %.1f at the start; all members in one JVM; %s",
        Runtime.version(),
        Runtime.getRuntime().availableProcessors(),
        load,
        changes);
  }
}

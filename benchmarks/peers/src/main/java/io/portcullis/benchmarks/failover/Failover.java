package io.portcullis.benchmarks.failover;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Measures how soon another node leads and prints a table; started by {@code benchmarks/failover}.
 * Exit code 0: all targets were reached; 1: some were not; 2: measuring failed.
 */
public final class Failover {
  private static final Path AGENT = Path.of("agent", "target", "portcullis-agent.jar");
  private static final int PAIRS = 5;
  private static final int HAND_OVERS = 10;
  private static final int QUICK_HAND_OVERS = 6;

  private Failover() {}

  public static void main(String[] args) throws Exception {
    boolean quick = List.of(args).equals(List.of("--quick"));
    if (args.length > 0 && !quick) {
      System.err.println("Usage: failover [--quick]    (--quick: one pair each, rough results)");
      System.exit(2);
    }
    System.exit(run(quick ? 1 : PAIRS, quick ? QUICK_HAND_OVERS : HAND_OVERS));
  }

  private static int run(int pairs, int handOvers) throws Exception {
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    try (FailoverEnvironment environment = FailoverEnvironment.open(AGENT)) {
      Runtime.getRuntime().addShutdownHook(new Thread(environment::close, "environment-end"));
      String postgres = environment.stores().postgresVersion();
      Report report = new Report(measure(environment, pairs, handOvers));
      System.out.println();
      System.out.println(circumstances(load, postgres, pairs, handOvers));
      System.out.println();
      System.out.print(report.render());
      return report.allTargetsReached() ? 0 : 1;
    } catch (MeasurementException e) {
      System.err.println(e.getMessage());
      return 2;
    }
  }

  /** Measures all kinds in each round, so that a machine that slows down affects all. */
  private static Map<ContenderKind, FailoverMeasurements> measure(
      FailoverEnvironment environment, int pairs, int handOvers) throws Exception {
    Map<ContenderKind, FailoverMeasurements> measurements = new EnumMap<>(ContenderKind.class);
    for (int i = 0; i < pairs; i++) {
      for (ContenderKind kind : ContenderKind.values()) {
        try (ContenderPair pair =
            ContenderPair.start(
                environment, kind, kind.name().toLowerCase(Locale.ROOT) + "-" + i)) {
          List<Duration> times = pair.handOvers(handOvers);
          Duration crash = pair.crash((i + 0.5) / pairs);
          measurements
              .computeIfAbsent(kind, unused -> new FailoverMeasurements())
              .add(times, crash);
          System.out.println(progress(kind, times, crash));
        }
      }
    }
    return measurements;
  }

  private static String progress(ContenderKind kind, List<Duration> handOvers, Duration crash) {
    return kind.name().toLowerCase(Locale.ROOT)
        + handOvers.stream().map(Report::millis).collect(Collectors.joining(", ", ": ", ""))
        + "; crash "
        + Report.secondsText(crash);
  }

  private static String circumstances(double load, String postgres, int pairs, int handOvers) {
    return String.format(
        Locale.ROOT,
        "JDK %s, Postgres %s, %d cores, load %.1f at the start; lease %d s, renewed every %d ms;"
            + " of each kind %d hand-overs and %d crashes",
        Runtime.version(),
        postgres,
        Runtime.getRuntime().availableProcessors(),
        load,
        FailoverTiming.LEASE.toSeconds(),
        FailoverTiming.RENEW.toMillis(),
        pairs * handOvers,
        pairs);
  }
}

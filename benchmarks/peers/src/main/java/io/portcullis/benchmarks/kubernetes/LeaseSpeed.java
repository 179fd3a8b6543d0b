package io.portcullis.benchmarks.kubernetes;

import io.portcullis.benchmarks.failover.MeasurementException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Measures elections on a Lease and prints its tables; started by {@code benchmarks/kubernetes}.
 * Exit code 0: all targets were reached; 1: some were not; 2: measuring failed.
 */
public final class LeaseSpeed {
  private static final Path AGENT = Path.of("agent", "target", "portcullis-agent.jar");
  private static final BenchmarkPlan FULL = new BenchmarkPlan(20, 4, 3, Duration.ofMinutes(2));
  private static final BenchmarkPlan QUICK = new BenchmarkPlan(5, 2, 1, Duration.ofMinutes(1));

  private LeaseSpeed() {}

  public static void main(String[] args) throws Exception {
    boolean quick = List.of(args).equals(List.of("--quick"));
    if (args.length > 0 && !quick) {
      System.err.println("Usage: kubernetes [--quick]    (--quick: few rounds, rough results)");
      System.exit(2);
    }
    System.exit(run(quick ? QUICK : FULL));
  }

  private static int run(BenchmarkPlan plan) throws Exception {
    double before = load();
    try (KubernetesEnvironment environment = KubernetesEnvironment.open(AGENT)) {
      Runtime.getRuntime().addShutdownHook(new Thread(environment::close, "environment-end"));
      Map<Elector, ElectorMeasurements> measurements = new EnumMap<>(Elector.class);
      for (Elector elector : Elector.values()) {
        measurements.put(elector, new ElectorMeasurements());
      }
      new ElectorBenchmark(environment, plan, measurements).run();
      Report report = new Report(measurements, plan.window());
      System.out.println();
      System.out.println(circumstances(plan, before, load()));
      System.out.println();
      System.out.print(report.render());
      return report.allTargetsReached() ? 0 : 1;
    } catch (MeasurementException e) {
      System.err.println(e.getMessage());
      return 2;
    }
  }

  private static double load() {
    return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
  }

  private static String circumstances(BenchmarkPlan plan, double before, double after) {
    return String.format(
        Locale.ROOT,
        "JDK %s, %d cores, load %.1f at the start, %.1f at the end; lease %d s, renew deadline"
            + " %d s, retry %d s; of each elector %d hand-overs, %d crashes, and %d pairs whose"
            + " requests were counted for %d s",
        Runtime.version(),
        Runtime.getRuntime().availableProcessors(),
        before,
        after,
        ClientGoTiming.LEASE.toSeconds(),
        ClientGoTiming.RENEW_DEADLINE.toSeconds(),
        ClientGoTiming.RETRY.toSeconds(),
        plan.handOvers(),
        plan.pairs() * plan.crashesOfAPair(),
        plan.pairs(),
        plan.window().toSeconds());
  }
}

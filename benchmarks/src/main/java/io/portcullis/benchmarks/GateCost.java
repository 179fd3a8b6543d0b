package io.portcullis.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Measures the cost of the gate and prints a table. Exit code 0: all targets were reached; 1: some
 * were not; 2: the arguments were invalid.
 */
public final class GateCost {
  private static final int ROUNDS = 5;
  private static final List<Integer> THREADS = List.of(1, 2);

  private GateCost() {}

  public static void main(String[] args) throws RunnerException {
    boolean quick = List.of(args).equals(List.of("--quick"));
    if (args.length > 0 && !quick) {
      System.err.println("Usage: gate-cost [--quick]    (--quick: one round, rough results)");
      System.exit(2);
    }
    CostTable table = new CostTable(measure(quick ? 1 : ROUNDS));
    System.out.println();
    System.out.println("JDK " + Runtime.version());
    System.out.println();
    System.out.print(table.render());
    System.exit(table.allTargetsReached() ? 0 : 1);
  }

  private static List<Sample> measure(int rounds) throws RunnerException {
    List<Sample> samples = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      for (int threads : THREADS) {
        for (RunResult result : new Runner(options(threads)).run()) {
          samples.add(Sample.of(round, result));
        }
      }
    }
    return samples;
  }

  /**
   * Uses one JVM for each kind of call, so that the compiler's profile of one does not affect
   * another.
   */
  private static Options options(int threads) {
    return new OptionsBuilder()
        .include("io\\.portcullis\\.benchmarks\\.(OpenGate|ShutGate)\\.")
        .mode(Mode.AverageTime)
        .timeUnit(TimeUnit.NANOSECONDS)
        .threads(threads)
        .forks(1)
        .warmupIterations(3)
        .warmupTime(TimeValue.milliseconds(500))
        .measurementIterations(5)
        .measurementTime(TimeValue.milliseconds(500))
        .addProfiler(GCProfiler.class)
        .build();
  }
}

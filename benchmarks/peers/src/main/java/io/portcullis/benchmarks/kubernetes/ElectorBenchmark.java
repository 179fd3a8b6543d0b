package io.portcullis.benchmarks.kubernetes;

import io.portcullis.benchmarks.failover.MeasurementException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The rounds of one run: alternating handovers, then requests while nothing happens, then crashes.
 */
record ElectorBenchmark(
    KubernetesEnvironment environment,
    BenchmarkPlan plan,
    Map<Elector, ElectorMeasurements> measurements) {
  /** Steps of this size, taken modulo one, are evenly distributed for any number of steps. */
  private static final double GOLDEN = 0.618034;

  /** Time after the last start until requests are counted. */
  private static final Duration RESTING = Duration.ofSeconds(10);

  void run() throws Exception {
    handOvers();
    List<NodePair> pairs = new ArrayList<>();
    for (int i = 0; i < plan.pairs(); i++) {
      for (Elector elector : Elector.values()) {
        pairs.add(NodePair.start(environment, elector, name(elector) + "-pair-" + i));
      }
    }
    requests(pairs);
    crashes(pairs);
    pairs.forEach(NodePair::close);
  }

  /** Measures all electors in each round, so that a machine that slows down affects all. */
  private void handOvers() throws IOException {
    List<NodePair> pairs = new ArrayList<>();
    for (Elector elector : Elector.values()) {
      pairs.add(NodePair.start(environment, elector, name(elector) + "-hand-over"));
    }
    for (int i = 0; i < plan.handOvers(); i++) {
      for (NodePair pair : pairs) {
        Duration time = pair.handOver((i * GOLDEN) % 1);
        of(pair).add(time);
        System.out.println(name(pair.elector()) + ": hand-over " + Report.millis(time));
        pair.replace();
      }
    }
    pairs.forEach(NodePair::close);
  }

  private void requests(List<NodePair> pairs) {
    NodePair.pause(RESTING);
    Instant from = Instant.now();
    NodePair.pause(plan.window());
    pairs.forEach(pair -> of(pair).add(pair.traffic(from, from.plus(plan.window()))));
  }

  private void crashes(List<NodePair> pairs) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(pairs.size());
    try {
      for (int i = 0; i < plan.crashesOfAPair(); i++) {
        crash(threads, pairs, i);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /** Measures all pairs concurrently: each waits for the end of a lease, and is idle meanwhile. */
  private void crash(ExecutorService threads, List<NodePair> pairs, int round) throws Exception {
    List<Callable<CrashTimes>> tasks = new ArrayList<>();
    for (NodePair pair : pairs) {
      double phase = ((round * pairs.size() + tasks.size()) * GOLDEN) % 1;
      tasks.add(() -> pair.crash(phase));
    }
    List<Future<CrashTimes>> crashes = threads.invokeAll(tasks);
    for (int i = 0; i < pairs.size(); i++) {
      CrashTimes crash = measured(crashes.get(i));
      of(pairs.get(i)).add(crash);
      System.out.printf(
          Locale.ROOT,
          "%s: crash %s, %s after the last renewal%n",
          name(pairs.get(i).elector()),
          Report.seconds(crash.sinceKill()),
          Report.seconds(crash.sinceRenewal()));
    }
    if (round + 1 < plan.crashesOfAPair()) {
      for (NodePair pair : pairs) {
        pair.replace();
      }
    }
  }

  private static CrashTimes measured(Future<CrashTimes> future) throws Exception {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw new MeasurementException(String.valueOf(Objects.requireNonNullElse(e.getCause(), e)));
    }
  }

  private ElectorMeasurements of(NodePair pair) {
    return measurements.computeIfAbsent(pair.elector(), unused -> new ElectorMeasurements());
  }

  private static String name(Elector elector) {
    return elector.name().toLowerCase(Locale.ROOT);
  }
}

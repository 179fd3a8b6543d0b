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
 * The rounds of one run: hand-overs by turns, then requests while nothing happens, then crashes.
 */
record ElectorBenchmark(
    KubernetesEnvironment site, BenchmarkPlan plan, Map<Elector, Findings> findings) {
  /** Steps of this size, taken modulo one, fill the interval evenly for any number of them. */
  private static final double GOLDEN = 0.618034;

  /** After the last start, until requests are counted. */
  private static final Duration RESTING = Duration.ofSeconds(10);

  void run() throws Exception {
    handOvers();
    List<NodePair> duos = new ArrayList<>();
    for (int i = 0; i < plan.pairs(); i++) {
      for (Elector elector : Elector.values()) {
        duos.add(NodePair.start(site, elector, name(elector) + "-pair-" + i));
      }
    }
    requests(duos);
    crashes(duos);
    duos.forEach(NodePair::close);
  }

  /** One elector after the other in each round, so that a machine that gets slower slows all. */
  private void handOvers() throws IOException {
    List<NodePair> duos = new ArrayList<>();
    for (Elector elector : Elector.values()) {
      duos.add(NodePair.start(site, elector, name(elector) + "-hand-over"));
    }
    for (int i = 0; i < plan.handOvers(); i++) {
      for (NodePair duo : duos) {
        Duration time = duo.handOver((i * GOLDEN) % 1);
        of(duo).add(time);
        System.out.println(name(duo.elector()) + ": hand-over " + Report.millis(time));
        duo.replace();
      }
    }
    duos.forEach(NodePair::close);
  }

  private void requests(List<NodePair> duos) {
    NodePair.pause(RESTING);
    Instant from = Instant.now();
    NodePair.pause(plan.window());
    duos.forEach(duo -> of(duo).add(duo.traffic(from, from.plus(plan.window()))));
  }

  private void crashes(List<NodePair> duos) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(duos.size());
    try {
      for (int i = 0; i < plan.crashesOfAPair(); i++) {
        crash(threads, duos, i);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /** All pairs at once: each waits for the end of a lease, and has nothing to do meanwhile. */
  private void crash(ExecutorService threads, List<NodePair> duos, int round) throws Exception {
    List<Callable<CrashTimes>> tasks = new ArrayList<>();
    for (NodePair duo : duos) {
      double phase = ((round * duos.size() + tasks.size()) * GOLDEN) % 1;
      tasks.add(() -> duo.crash(phase));
    }
    List<Future<CrashTimes>> crashes = threads.invokeAll(tasks);
    for (int i = 0; i < duos.size(); i++) {
      CrashTimes crash = measured(crashes.get(i));
      of(duos.get(i)).add(crash);
      System.out.printf(
          Locale.ROOT,
          "%s: crash %s, %s after the last renewal%n",
          name(duos.get(i).elector()),
          Report.seconds(crash.sinceKill()),
          Report.seconds(crash.sinceRenewal()));
    }
    if (round + 1 < plan.crashesOfAPair()) {
      for (NodePair duo : duos) {
        duo.replace();
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

  private Findings of(NodePair duo) {
    return findings.computeIfAbsent(duo.elector(), unused -> new Findings());
  }

  private static String name(Elector elector) {
    return elector.name().toLowerCase(Locale.ROOT);
  }
}

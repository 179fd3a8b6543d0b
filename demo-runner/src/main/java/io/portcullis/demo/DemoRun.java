package io.portcullis.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Runs the steps of the demo: start, SIGKILL of the leader, SIGTERM of the leader, verdict. */
final class DemoRun {
  private static final Duration STEADY = Duration.ofSeconds(5);
  private static final Duration START_LIMIT = Duration.ofSeconds(20);
  private static final Duration LEADER_LIMIT = Duration.ofSeconds(20);
  private static final Duration TAKEOVER_LIMIT = Duration.ofSeconds(15);
  private static final Duration VOTE_LIMIT = NodeConfig.LEASE.multipliedBy(3);

  private final Cluster cluster;
  private final StoreKind store;
  private final WriteAttemptLog attempts = new WriteAttemptLog();
  private final ClusterMonitor monitor;
  private final Map<String, LoadGenerator> loads = new HashMap<>();
  private final List<Finding> takeovers = new ArrayList<>();

  DemoRun(Cluster cluster, StoreKind store, Terminal terminal) {
    this.cluster = cluster;
    this.store = store;
    this.monitor = new ClusterMonitor(cluster, attempts, terminal);
  }

  /** Runs all steps, stops the load and returns the verdict. The JVMs keep running. */
  ConsistencyVerdict run() throws IOException, InterruptedException {
    try {
      startAll();
      if (killTheLeader()) {
        handOver();
      }
    } finally {
      for (LoadGenerator load : loads.values()) {
        load.stop();
      }
    }
    List<Finding> findings = new ArrayList<>(takeovers);
    findings.addAll(
        ConsistencyVerdict.of(attempts.list(), cluster.journal(), cluster.tenures()).findings());
    return new ConsistencyVerdict(findings);
  }

  private void startAll() throws IOException, InterruptedException {
    for (String id : Cluster.NODES) {
      cluster.start(id);
    }
    for (ServiceNode node : cluster.nodes()) {
      awaitReady(node);
      startLoad(node);
    }
    monitor.print("Three JVMs run. " + store.firstLease());
    ServiceNode leader =
        monitor
            .until(LEADER_LIMIT, monitor::leader)
            .orElseThrow(
                () -> new DemoFailureException("No node leads after " + text(LEADER_LIMIT) + "."));
    monitor.print(leader.id() + " leads with epoch " + monitor.epoch(leader) + ".");
    monitor.runFor(STEADY);
  }

  private boolean killTheLeader() throws IOException, InterruptedException {
    ServiceNode leader = currentLeader();
    monitor.print("kill -KILL " + leader.id());
    long killedAt = System.nanoTime();
    leader.kill();
    if (!awaitTakeover("kill -KILL", leader, killedAt)) {
      return false;
    }
    ServiceNode back = restart(leader);
    if (store == StoreKind.QUORUM) {
      monitor.print("It votes again after a lease, when its earlier promises have expired.");
      monitor.runFor(STEADY);
      awaitVote(back);
    } else {
      monitor.runFor(STEADY);
    }
    return true;
  }

  private void handOver() throws IOException, InterruptedException {
    ServiceNode leader = currentLeader();
    monitor.print("kill -TERM " + leader.id());
    long terminatedAt = System.nanoTime();
    leader.terminate();
    if (awaitTakeover("kill -TERM", leader, terminatedAt)) {
      restart(leader);
      monitor.runFor(STEADY);
    }
  }

  private ServiceNode currentLeader() {
    return monitor
        .until(LEADER_LIMIT, monitor::leader)
        .orElseThrow(() -> new DemoFailureException("No node leads."));
  }

  private boolean awaitTakeover(String signal, ServiceNode old, long sinceNanos) {
    Optional<WriteAttempt> first =
        monitor.until(
            TAKEOVER_LIMIT, () -> attempts.firstAcceptedElsewhere(old.writer(), sinceNanos));
    String guarantee = "Another node took over after " + signal;
    if (first.isEmpty()) {
      String violation = "no other node accepted a write within " + text(TAKEOVER_LIMIT);
      takeovers.add(new Finding(guarantee, "", List.of(violation)));
      return false;
    }
    String took = millis(first.get().answeredAtNanos() - sinceNanos);
    monitor.print(
        first.get().writer()
            + " took over: it accepted a write "
            + took
            + " after the signal (lease "
            + millis(NodeConfig.LEASE.toNanos())
            + ").");
    takeovers.add(new Finding(guarantee, took, List.of()));
    return true;
  }

  private ServiceNode restart(ServiceNode ended) throws IOException, InterruptedException {
    ended.awaitEnd();
    LoadGenerator old = loads.remove(ended.id());
    if (old != null) {
      old.stop();
    }
    ServiceNode back = cluster.start(ended.id());
    awaitReady(back);
    startLoad(back);
    monitor.print(
        back.id() + " was restarted; its writer name in the journal is " + back.writer() + ".");
    return back;
  }

  private void awaitReady(ServiceNode node) {
    Optional<ServiceNode> ready =
        monitor.until(START_LIMIT, () -> isReady(node) ? Optional.of(node) : Optional.empty());
    if (ready.isEmpty()) {
      throw new DemoFailureException(node.id() + " was not ready after " + text(START_LIMIT) + ".");
    }
  }

  /** Waits until the node votes again; until then no other of the three members may fail. */
  private void awaitVote(ServiceNode node) {
    Optional<ServiceNode> voter =
        monitor.until(VOTE_LIMIT, () -> votes(node) ? Optional.of(node) : Optional.empty());
    if (voter.isEmpty()) {
      throw new DemoFailureException(node.id() + " did not vote after " + text(VOTE_LIMIT) + ".");
    }
    monitor.print(node.id() + " votes again: another member may stop now.");
  }

  private static boolean votes(ServiceNode node) {
    try {
      return node.votes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isReady(ServiceNode node) {
    try {
      return node.isReady();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void startLoad(ServiceNode node) {
    loads.put(node.id(), LoadGenerator.start(node.writer(), node.service(), attempts));
  }

  private static String millis(long nanos) {
    return String.format(Locale.ROOT, "%,d ms", TimeUnit.NANOSECONDS.toMillis(nanos));
  }

  private static String text(Duration duration) {
    return duration.toSeconds() + " s";
  }
}

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

/** The acts of the show, one after the other. */
final class DemoRun {
  private static final Duration STEADY = Duration.ofSeconds(5);
  private static final Duration START_LIMIT = Duration.ofSeconds(20);
  private static final Duration LEADER_LIMIT = Duration.ofSeconds(20);
  private static final Duration TAKEOVER_LIMIT = Duration.ofSeconds(15);
  private static final Duration VOTE_LIMIT = NodeConfig.LEASE.multipliedBy(3);

  private final Cluster cluster;
  private final StoreKind store;
  private final WriteAttemptLog attempts = new WriteAttemptLog();
  private final ClusterMonitor watch;
  private final Map<String, LoadGenerator> loads = new HashMap<>();
  private final List<Finding> takeovers = new ArrayList<>();

  DemoRun(Cluster cluster, StoreKind store, Terminal terminal) {
    this.cluster = cluster;
    this.store = store;
    this.watch = new ClusterMonitor(cluster, attempts, terminal);
  }

  /** Plays all acts, stops the writers, and judges; the JVMs go on. */
  ConsistencyVerdict play() throws IOException, InterruptedException {
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
      load(node);
    }
    watch.say("Three JVMs run. " + store.firstLease());
    ServiceNode leader =
        watch
            .until(LEADER_LIMIT, watch::leader)
            .orElseThrow(
                () -> new DemoFailureException("No node leads after " + text(LEADER_LIMIT) + "."));
    watch.say(leader.id() + " leads with epoch " + watch.epoch(leader) + ".");
    watch.runFor(STEADY);
  }

  private boolean killTheLeader() throws IOException, InterruptedException {
    ServiceNode leader = currentLeader();
    watch.say("kill -KILL " + leader.id());
    long killedAt = System.nanoTime();
    leader.kill();
    if (!awaitTakeover("kill -KILL", leader, killedAt)) {
      return false;
    }
    ServiceNode back = restart(leader);
    if (store == StoreKind.QUORUM) {
      watch.say("It votes again after a lease: it can't know what it promised before.");
      watch.runFor(STEADY);
      awaitVote(back);
    } else {
      watch.runFor(STEADY);
    }
    return true;
  }

  private void handOver() throws IOException, InterruptedException {
    ServiceNode leader = currentLeader();
    watch.say("kill -TERM " + leader.id());
    long askedAt = System.nanoTime();
    leader.terminate();
    if (awaitTakeover("kill -TERM", leader, askedAt)) {
      restart(leader);
      watch.runFor(STEADY);
    }
  }

  private ServiceNode currentLeader() {
    return watch
        .until(LEADER_LIMIT, watch::leader)
        .orElseThrow(() -> new DemoFailureException("No node leads any more."));
  }

  private boolean awaitTakeover(String signal, ServiceNode old, long sinceNanos) {
    Optional<WriteAttempt> first =
        watch.until(
            TAKEOVER_LIMIT, () -> attempts.firstAcceptedElsewhere(old.writer(), sinceNanos));
    String promise = "Another node took over after " + signal;
    if (first.isEmpty()) {
      String violation = "none accepted a write within " + text(TAKEOVER_LIMIT);
      takeovers.add(new Finding(promise, "", List.of(violation)));
      return false;
    }
    String took = millis(first.get().answeredAtNanos() - sinceNanos);
    watch.say(
        first.get().writer()
            + " took over: it accepted a write "
            + took
            + " after the signal (lease "
            + millis(NodeConfig.LEASE.toNanos())
            + ").");
    takeovers.add(new Finding(promise, took, List.of()));
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
    load(back);
    watch.say(back.id() + " is started again; in the journal it signs as " + back.writer() + ".");
    return back;
  }

  private void awaitReady(ServiceNode node) {
    Optional<ServiceNode> ready =
        watch.until(START_LIMIT, () -> isReady(node) ? Optional.of(node) : Optional.empty());
    if (ready.isEmpty()) {
      throw new DemoFailureException(node.id() + " was not ready after " + text(START_LIMIT) + ".");
    }
  }

  /** Until it votes again, no second of three members can be missed. */
  private void awaitVote(ServiceNode node) {
    Optional<ServiceNode> voter =
        watch.until(VOTE_LIMIT, () -> votes(node) ? Optional.of(node) : Optional.empty());
    if (voter.isEmpty()) {
      throw new DemoFailureException(node.id() + " did not vote after " + text(VOTE_LIMIT) + ".");
    }
    watch.say(node.id() + " votes again: one of the others may end.");
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

  private void load(ServiceNode node) {
    loads.put(node.id(), LoadGenerator.start(node.writer(), node.service(), attempts));
  }

  private static String millis(long nanos) {
    return String.format(Locale.ROOT, "%,d ms", TimeUnit.NANOSECONDS.toMillis(nanos));
  }

  private static String text(Duration duration) {
    return duration.toSeconds() + " s";
  }
}

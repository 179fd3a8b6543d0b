package io.portcullis.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Waits for what is to happen, and meanwhile shows how the nodes stand. */
final class ClusterMonitor {
  /** The whole show ends within this time, whatever happens. */
  private static final Duration MAX_RUN_TIME = Duration.ofSeconds(75);

  private static final long POLL_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long PROBE_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  private final Cluster cluster;
  private final WriteAttemptLog attempts;
  private final Terminal terminal;
  private final StatusProbe probe = new StatusProbe(NodeConfig.ELECTION);
  private final long begunAtNanos = System.nanoTime();
  private List<ServiceNode> probed = List.of();
  private List<AgentStatus> statuses = List.of();
  private long nextProbeNanos = begunAtNanos;
  private long shownSecond = -1;

  ClusterMonitor(Cluster cluster, WriteAttemptLog attempts, Terminal terminal) {
    this.cluster = cluster;
    this.attempts = attempts;
    this.terminal = terminal;
  }

  /** Lets things go on for a while. */
  void runFor(Duration time) {
    until(time, Optional::empty);
  }

  /** Waits until there is something, at most for this long. */
  <T> Optional<T> until(Duration limit, Supplier<Optional<T>> wanted) {
    long deadline = System.nanoTime() + limit.toNanos();
    while (true) {
      Optional<T> found = wanted.get();
      if (found.isPresent() || deadline - System.nanoTime() <= 0) {
        return found;
      }
      poll();
      LockSupport.parkNanos(POLL_INTERVAL_NANOS);
    }
  }

  /** The node that said it leads when it was last asked. */
  Optional<ServiceNode> leader() {
    for (int i = 0; i < statuses.size(); i++) {
      if (statuses.get(i).leads() && probed.get(i).isAlive()) {
        return Optional.of(probed.get(i));
      }
    }
    return Optional.empty();
  }

  /** The epoch that a node told when it was last asked. */
  String epoch(ServiceNode node) {
    int at = probed.indexOf(node);
    return at < 0 ? "-" : statuses.get(at).epoch();
  }

  /** Prints a line with the time since the show began. */
  void say(String line) {
    double seconds = (System.nanoTime() - begunAtNanos) / 1e9;
    terminal.say(String.format(Locale.ROOT, "%5.1f s  %s", seconds, line));
  }

  private void poll() {
    long now = System.nanoTime();
    if (now - begunAtNanos > MAX_RUN_TIME.toNanos()) {
      throw new DemoFailureException("This took longer than " + MAX_RUN_TIME.toSeconds() + " s.");
    }
    checkAlive();
    if (now - nextProbeNanos >= 0) {
      nextProbeNanos = now + PROBE_INTERVAL_NANOS;
      probed = cluster.nodes();
      List<URI> agents = probed.stream().map(ServiceNode::agent).toList();
      statuses = probe.ask(agents);
    }
    long second = TimeUnit.NANOSECONDS.toSeconds(now - begunAtNanos);
    if (second != shownSecond) {
      shownSecond = second;
      List<NodeStatusRow> scores = scores();
      terminal.show(
          second, NodeStatusRow.table(scores, terminal), NodeStatusRow.line(second, scores));
    }
  }

  private void checkAlive() {
    for (ServiceNode node : cluster.nodes()) {
      if (node.endedByItself()) {
        try {
          throw new DemoFailureException(
              "The JVM of "
                  + node.id()
                  + " ended by itself:"
                  + System.lineSeparator()
                  + node.lastOfLog());
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }

  private List<NodeStatusRow> scores() {
    List<NodeStatusRow> scores = new ArrayList<>();
    for (int i = 0; i < probed.size(); i++) {
      ServiceNode node = probed.get(i);
      List<String> writers = cluster.writers(node.id());
      scores.add(
          new NodeStatusRow(
              node.id(),
              node.isAlive() ? statuses.get(i).role() : "ended",
              node.isAlive() ? statuses.get(i).epoch() : "-",
              attempts.count(writers, WriteOutcome.ACCEPTED),
              attempts.count(writers, WriteOutcome.REFUSED),
              attempts.count(writers, WriteOutcome.UNANSWERED)
                  + attempts.count(writers, WriteOutcome.UNREACHABLE)));
    }
    return scores;
  }
}

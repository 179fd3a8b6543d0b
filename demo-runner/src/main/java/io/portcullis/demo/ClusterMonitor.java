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

/** Waits for events and displays the status of the nodes meanwhile. */
final class ClusterMonitor {
  /** Maximum duration of the demo. */
  private static final Duration MAX_RUN_TIME = Duration.ofSeconds(75);

  private static final long POLL_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long PROBE_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  private final Cluster cluster;
  private final WriteAttemptLog attempts;
  private final Terminal terminal;
  private final StatusProbe probe = new StatusProbe(NodeConfig.ELECTION);
  private final long startNanos = System.nanoTime();
  private List<ServiceNode> probed = List.of();
  private List<AgentStatus> statuses = List.of();
  private long nextProbeNanos = startNanos;
  private long shownSecond = -1;

  ClusterMonitor(Cluster cluster, WriteAttemptLog attempts, Terminal terminal) {
    this.cluster = cluster;
    this.attempts = attempts;
    this.terminal = terminal;
  }

  /** Waits for a fixed time. */
  void runFor(Duration time) {
    until(time, Optional::empty);
  }

  /** Polls until a value is present, at most for {@code limit}. */
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

  /** The node that reported to be the leader in its latest status. */
  Optional<ServiceNode> leader() {
    for (int i = 0; i < statuses.size(); i++) {
      if (statuses.get(i).leads() && probed.get(i).isAlive()) {
        return Optional.of(probed.get(i));
      }
    }
    return Optional.empty();
  }

  /** The epoch in the latest status of a node. */
  String epoch(ServiceNode node) {
    int index = probed.indexOf(node);
    return index < 0 ? "-" : statuses.get(index).epoch();
  }

  /** Prints a line with the time since the start. */
  void print(String line) {
    double seconds = (System.nanoTime() - startNanos) / 1e9;
    terminal.print(String.format(Locale.ROOT, "%5.1f s  %s", seconds, line));
  }

  private void poll() {
    long now = System.nanoTime();
    if (now - startNanos > MAX_RUN_TIME.toNanos()) {
      throw new DemoFailureException(
          "The demo took longer than " + MAX_RUN_TIME.toSeconds() + " s.");
    }
    checkAlive();
    if (now - nextProbeNanos >= 0) {
      nextProbeNanos = now + PROBE_INTERVAL_NANOS;
      probed = cluster.nodes();
      List<URI> agents = probed.stream().map(ServiceNode::agent).toList();
      statuses = probe.statuses(agents);
    }
    long second = TimeUnit.NANOSECONDS.toSeconds(now - startNanos);
    if (second != shownSecond) {
      shownSecond = second;
      List<NodeStatusRow> rows = rows();
      terminal.show(second, NodeStatusRow.table(rows, terminal), NodeStatusRow.line(second, rows));
    }
  }

  private void checkAlive() {
    for (ServiceNode node : cluster.nodes()) {
      if (node.endedUnexpectedly()) {
        try {
          throw new DemoFailureException(
              "The JVM of "
                  + node.id()
                  + " exited unexpectedly:"
                  + System.lineSeparator()
                  + node.logTail());
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }

  private List<NodeStatusRow> rows() {
    List<NodeStatusRow> rows = new ArrayList<>();
    for (int i = 0; i < probed.size(); i++) {
      ServiceNode node = probed.get(i);
      List<String> writers = cluster.writers(node.id());
      rows.add(
          new NodeStatusRow(
              node.id(),
              node.isAlive() ? statuses.get(i).role() : "ended",
              node.isAlive() ? statuses.get(i).epoch() : "-",
              attempts.count(writers, WriteOutcome.ACCEPTED),
              attempts.count(writers, WriteOutcome.REFUSED),
              attempts.count(writers, WriteOutcome.UNANSWERED)
                  + attempts.count(writers, WriteOutcome.UNREACHABLE)));
    }
    return rows;
  }
}

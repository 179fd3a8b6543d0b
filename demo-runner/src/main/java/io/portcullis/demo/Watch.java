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
final class Watch {
  /** The whole show ends within this time, whatever happens. */
  private static final Duration MAX_SHOW = Duration.ofSeconds(75);

  private static final long GLANCE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long PROBE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  private final Cluster cluster;
  private final Attempts attempts;
  private final Terminal terminal;
  private final StatusProbe probe = new StatusProbe(NodeConfig.ELECTION);
  private final long begunAtNanos = System.nanoTime();
  private List<ServiceNode> probed = List.of();
  private List<AgentStatus> statuses = List.of();
  private long nextProbeNanos = begunAtNanos;
  private long shownSecond = -1;

  Watch(Cluster cluster, Attempts attempts, Terminal terminal) {
    this.cluster = cluster;
    this.attempts = attempts;
    this.terminal = terminal;
  }

  /** Lets things go on for a while. */
  void goOn(Duration time) {
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
      look();
      LockSupport.parkNanos(GLANCE_NANOS);
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

  private void look() {
    long now = System.nanoTime();
    if (now - begunAtNanos > MAX_SHOW.toNanos()) {
      throw new DemoFailureException("This took longer than " + MAX_SHOW.toSeconds() + " s.");
    }
    checkAlive();
    if (now - nextProbeNanos >= 0) {
      nextProbeNanos = now + PROBE_NANOS;
      probed = cluster.nodes();
      List<URI> agents = probed.stream().map(ServiceNode::agent).toList();
      statuses = probe.ask(agents);
    }
    long second = TimeUnit.NANOSECONDS.toSeconds(now - begunAtNanos);
    if (second != shownSecond) {
      shownSecond = second;
      List<FailoverScore> scores = scores();
      terminal.show(
          second, FailoverScore.table(scores, terminal), FailoverScore.line(second, scores));
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

  private List<FailoverScore> scores() {
    List<FailoverScore> scores = new ArrayList<>();
    for (int i = 0; i < probed.size(); i++) {
      ServiceNode node = probed.get(i);
      List<String> writers = cluster.writers(node.id());
      scores.add(
          new FailoverScore(
              node.id(),
              node.isAlive() ? statuses.get(i).role() : "ended",
              node.isAlive() ? statuses.get(i).epoch() : "-",
              attempts.count(writers, Outcome.ACCEPTED),
              attempts.count(writers, Outcome.REFUSED),
              attempts.count(writers, Outcome.UNANSWERED)
                  + attempts.count(writers, Outcome.UNREACHABLE)));
    }
    return scores;
  }
}

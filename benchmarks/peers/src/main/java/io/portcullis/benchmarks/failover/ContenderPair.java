package io.portcullis.benchmarks.failover;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Two nodes of one kind, one of which leads: several handovers, then a crash. */
final class ContenderPair implements AutoCloseable {
  /** Long enough for a new JVM to become idle. */
  private static final Duration STARTING = Duration.ofSeconds(2);

  /** Long enough for the node that stepped down to wait for leadership again. */
  private static final Duration SETTLING = Duration.ofSeconds(1);

  /** Steps of this size, taken modulo one, are evenly distributed for any number of steps. */
  private static final double GOLDEN = 0.618034;

  private final List<Node> nodes;

  private ContenderPair(Node first, Node second) {
    nodes = List.of(first, second);
  }

  static ContenderPair start(FailoverEnvironment environment, ContenderKind kind, String election)
      throws IOException {
    Node first = environment.start(kind, election);
    first.send(Command.JOIN);
    first.await(Event.OPEN);
    Node second = environment.start(kind, election);
    second.send(Command.JOIN);
    second.await(Event.JOINING);
    return new ContenderPair(first, second);
  }

  List<Duration> handOvers(int count) throws IOException {
    pause(STARTING);
    List<Duration> times = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      settle((i * GOLDEN) % 1);
      times.add(handOver());
    }
    return times;
  }

  private Duration handOver() throws IOException {
    Node leader = leader();
    Node other = other(leader);
    other.forget(Event.OPEN);
    leader.send(Command.STEP_DOWN);
    long asked = leader.await(Event.STEPPED_DOWN);
    long open = other.await(Event.OPEN);
    leader.send(Command.JOIN);
    return Duration.ofNanos(open - asked);
  }

  /**
   * Kills the leader.
   *
   * @param phase the position between two renewals, 0 to 1
   */
  Duration crash(double phase) {
    settle(phase);
    Node leader = leader();
    Node other = other(leader);
    other.forget(Event.OPEN);
    long killed = leader.kill();
    return Duration.ofNanos(other.await(Event.OPEN) - killed);
  }

  /**
   * Waits a while, and then a part of the time between two renewals, so that the rounds cover all
   * phases.
   */
  private static void settle(double phase) {
    pause(SETTLING.plusNanos((long) (phase * FailoverTiming.RENEW.toNanos())));
  }

  private static void pause(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  private Node leader() {
    List<Node> leading = nodes.stream().filter(Node::mayAct).toList();
    if (leading.size() != 1) {
      throw new MeasurementException(
          leading.size() + " nodes may act before a round; is the machine too busy?");
    }
    return leading.get(0);
  }

  private Node other(Node leader) {
    return nodes.get(0) == leader ? nodes.get(1) : nodes.get(0);
  }

  @Override
  public void close() {
    nodes.forEach(Node::close);
  }
}

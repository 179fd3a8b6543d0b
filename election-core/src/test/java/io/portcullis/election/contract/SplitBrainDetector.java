package io.portcullis.election.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.election.LeaderElection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;

/**
 * Continuously checks the gates of all nodes of one election: two must never be open at once, and
 * epochs must rise from each tenure to the next.
 */
public final class SplitBrainDetector implements AutoCloseable {
  private static final long PAUSE_NANOS = 500_000;

  private final List<LeaderElection> nodes = new CopyOnWriteArrayList<>();
  private final Queue<String> violations = new ConcurrentLinkedQueue<>();
  private final Thread thread = new Thread(this::run, "gate-watch");
  private volatile boolean over;
  private volatile long highestEpoch;
  private String holder = "";

  /** Starts the checks. */
  public SplitBrainDetector() {
    thread.setDaemon(true);
    thread.start();
  }

  /** Checks this node too. */
  public LeaderElection add(LeaderElection node) {
    nodes.add(node);
    return node;
  }

  /** The highest epoch under which a gate was seen open. */
  public long highestEpoch() {
    return highestEpoch;
  }

  private void run() {
    while (!over) {
      sample();
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private void sample() {
    for (LeaderElection one : nodes) {
      if (!one.isLeader()) {
        continue;
      }
      long epoch = one.epoch();
      for (LeaderElection other : nodes) {
        // Open before and after the check of the other: so open during it.
        if (other != one && other.isLeader() && one.isLeader() && one.epoch() == epoch) {
          violations.add(name(one) + " and " + name(other) + " were open at once, epoch " + epoch);
        }
      }
      if (one.isLeader() && one.epoch() == epoch) {
        note(name(one), epoch);
      }
    }
  }

  private void note(String node, long epoch) {
    if (epoch < highestEpoch || (epoch == highestEpoch && !node.equals(holder))) {
      violations.add(node + " leads under " + epoch + " after " + holder + ", " + highestEpoch);
    }
    highestEpoch = Math.max(highestEpoch, epoch);
    holder = node;
  }

  private static String name(LeaderElection node) {
    return node.config().identity();
  }

  /** Fails if a violation was found so far. */
  public void assertSafe() {
    assertThat(violations).isEmpty();
    assertThat(thread.isAlive()).isTrue();
  }

  /** Stops; closes all nodes first, while still checking. */
  @Override
  public void close() {
    nodes.forEach(LeaderElection::close);
    try {
      assertSafe();
    } finally {
      over = true;
    }
  }
}

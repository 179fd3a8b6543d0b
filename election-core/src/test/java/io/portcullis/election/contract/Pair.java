package io.portcullis.election.contract;

import static org.awaitility.Awaitility.await;

import io.portcullis.election.LeaderElection;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.Timing;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Two nodes of one election under watch: the first leads and the second knows it when the test
 * begins.
 */
public record Pair(GateWatch watch, LeaderElection first, LeaderElection second)
    implements AutoCloseable {
  private static final Duration LONG = Duration.ofSeconds(30);

  /** The nodes may reach the election by different ways. */
  public static Pair at(Place firstPlace, Place secondPlace, Timing timing)
      throws InterruptedException {
    GateWatch watch = new GateWatch();
    LeaderElection first = node(watch, firstPlace, "first", timing);
    if (!first.awaitLeadership(LONG)) {
      throw new AssertionError("never led: " + first.status());
    }
    LeaderElection second = node(watch, secondPlace, "second", timing);
    await().atMost(LONG).until(() -> second.leader().equals(Optional.of("first")));
    return new Pair(watch, first, second);
  }

  /** A node that takes part under watch. */
  public static LeaderElection node(GateWatch watch, Place place, String name, Timing timing) {
    ElectionConfig config = new ElectionConfig("test", "writer", name, null, timing);
    LeaderElection node = watch.add(new LeaderElection(config, place.open(config)));
    node.start();
    return node;
  }

  /** The highest epoch known to either. */
  public long epoch() {
    return Math.max(watch.highestEpoch(), Math.max(first.epoch(), second.epoch()));
  }

  /** Waits until a node leads under a higher epoch than this. */
  public void awaitLeaderAbove(long epoch) {
    await()
        .pollInterval(Duration.ofMillis(10))
        .atMost(LONG)
        .until(
            () ->
                Stream.of(first, second).anyMatch(node -> node.isLeader() && node.epoch() > epoch));
    watch.assertSafe();
  }

  /** Waits until neither gate is open. */
  public void awaitNobody() {
    await()
        .pollInterval(Duration.ofMillis(10))
        .atMost(LONG)
        .until(() -> !first.isLeader() && !second.isLeader());
  }

  /** Lets so much time pass under watch. */
  public void watchFor(Duration time) {
    await().pollDelay(time).atMost(time.plusSeconds(30)).until(() -> true);
    watch.assertSafe();
  }

  @Override
  public void close() {
    watch.close();
  }
}

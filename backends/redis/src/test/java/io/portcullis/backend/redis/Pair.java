package io.portcullis.backend.redis;

import static org.awaitility.Awaitility.await;

import io.portcullis.election.LeaderElection;
import io.portcullis.election.contract.GateWatch;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Two nodes of one election under watch: the first leads and the second knows it when the test
 * begins.
 */
record Pair(GateWatch watch, LeaderElection first, LeaderElection second) implements AutoCloseable {

  static Pair at(Site site) throws InterruptedException {
    return at(site, site);
  }

  /** The nodes may reach the election by different ways. */
  static Pair at(Site firstSite, Site secondSite) throws InterruptedException {
    GateWatch watch = new GateWatch();
    LeaderElection first = firstSite.node(watch, "first");
    if (!first.awaitLeadership(Site.LONG)) {
      throw new AssertionError("never led: " + first.status());
    }
    LeaderElection second = secondSite.node(watch, "second");
    await().atMost(Site.LONG).until(() -> second.leader().equals(Optional.of("first")));
    return new Pair(watch, first, second);
  }

  long epoch() {
    return Math.max(watch.highestEpoch(), Math.max(first.epoch(), second.epoch()));
  }

  /** Waits until a node leads under a higher epoch than this. */
  void awaitLeaderAbove(long epoch) {
    await()
        .pollInterval(Duration.ofMillis(10))
        .atMost(Site.LONG)
        .until(
            () ->
                Stream.of(first, second).anyMatch(node -> node.isLeader() && node.epoch() > epoch));
    watch.assertSafe();
  }

  void awaitNobody() {
    await()
        .pollInterval(Duration.ofMillis(10))
        .atMost(Site.LONG)
        .until(() -> !first.isLeader() && !second.isLeader());
  }

  /** Lets so much time pass under watch. */
  void watchFor(Duration time) {
    await().pollDelay(time).atMost(time.plusSeconds(30)).until(() -> true);
    watch.assertSafe();
  }

  @Override
  public void close() {
    watch.close();
  }
}

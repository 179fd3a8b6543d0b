package io.portcullis.election.contract;

import static io.portcullis.election.contract.TestTimeouts.MAX_WAIT;
import static org.awaitility.Awaitility.await;

import io.portcullis.election.LeaderElection;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.Timing;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Two nodes of one election, checked by a {@link SplitBrainDetector}: when the test begins, the
 * first leads and the second knows it.
 */
public record ContenderPair(SplitBrainDetector watch, LeaderElection first, LeaderElection second)
    implements AutoCloseable {
  /** The nodes may use different connections to the election. */
  public static ContenderPair at(
      StoreFixture firstPlace, Timing firstTiming, StoreFixture secondPlace, Timing secondTiming)
      throws InterruptedException {
    SplitBrainDetector watch = new SplitBrainDetector();
    LeaderElection first = node(watch, firstPlace, "first", firstTiming);
    if (!first.awaitLeadership(MAX_WAIT)) {
      throw new AssertionError("never led: " + first.status());
    }
    LeaderElection second = node(watch, secondPlace, "second", secondTiming);
    await().atMost(MAX_WAIT).until(() -> second.leader().equals(Optional.of("first")));
    return new ContenderPair(watch, first, second);
  }

  /** Creates a participating node that the detector checks. */
  public static LeaderElection node(
      SplitBrainDetector watch, StoreFixture fixture, String name, Timing timing) {
    ElectionConfig config = new ElectionConfig("test", "writer", name, null, timing);
    LeaderElection node = watch.add(new LeaderElection(config, fixture.open(config)));
    node.start();
    return node;
  }

  /** The highest epoch known to either node. */
  public long epoch() {
    return Math.max(watch.highestEpoch(), Math.max(first.epoch(), second.epoch()));
  }

  /** Waits until a node leads under a higher epoch than this. */
  public void awaitLeaderAbove(long epoch) {
    await()
        .pollInterval(Duration.ofMillis(10))
        .atMost(MAX_WAIT)
        .until(
            () ->
                Stream.of(first, second).anyMatch(node -> node.isLeader() && node.epoch() > epoch));
    watch.assertSafe();
  }

  /** Waits until this node leads under a higher epoch than this. */
  public void awaitLeads(LeaderElection node, long above) {
    await()
        .pollInterval(Duration.ofMillis(10))
        .atMost(MAX_WAIT)
        .until(() -> node.isLeader() && node.epoch() > above);
    watch.assertSafe();
  }

  /** Waits until the first node has renewed its lease this many more times. */
  public void awaitRenewals(long number) {
    long before = renewals();
    await().atMost(MAX_WAIT).until(() -> renewals() >= before + number);
    watch.assertSafe();
  }

  private long renewals() {
    return first.metrics().counts().renew().counts().stream().mapToLong(Long::longValue).sum();
  }

  /**
   * Waits until the first node's gate is shut, and fails if it was seen open later than this long
   * after a moment. A pause of the test itself is not a failure: each reading of the gate counts
   * from the time before it.
   */
  public void awaitShutWithin(Duration atMost, long sinceNanos) {
    awaitShutWithin(first, atMost, sinceNanos);
  }

  /** Waits until this node's gate is shut, in the same way. */
  public static void awaitShutWithin(LeaderElection node, Duration atMost, long sinceNanos) {
    await()
        .pollInterval(Duration.ofMillis(5))
        .atMost(MAX_WAIT)
        .until(
            () -> {
              long looked = System.nanoTime();
              boolean shut = !node.isLeader();
              if (!shut && looked - sinceNanos > atMost.toNanos()) {
                throw new AssertionError("the gate was open later than " + atMost);
              }
              return shut;
            });
  }

  /** Waits until neither gate is open. */
  public void awaitNobody() {
    await()
        .pollInterval(Duration.ofMillis(10))
        .atMost(MAX_WAIT)
        .until(() -> !first.isLeader() && !second.isLeader());
  }

  /** Waits for this time while the detector checks the gates. */
  public void watchFor(Duration time) {
    await().pollDelay(time).atMost(time.plusSeconds(30)).until(() -> true);
    watch.assertSafe();
  }

  @Override
  public void close() {
    watch.close();
  }
}

package io.portcullis.election.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.election.LeaderElection;
import io.portcullis.election.config.Backoff;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.Timing;
import io.portcullis.election.engine.GateControl;
import io.portcullis.election.fence.EpochFence.FenceState;
import io.portcullis.election.inprocess.InProcessLease;
import io.portcullis.election.machine.Grant;
import io.portcullis.election.store.EpochRange;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests complete nodes with a fence: a gate never opens under an epoch that the fence does not
 * have.
 */
class FencedElectionTest {
  private static final Duration LONG = Duration.ofMinutes(2);
  private static final Duration LEASE = Duration.ofMillis(1500);

  private volatile InProcessLease lease = new InProcessLease();
  private final InMemoryFence fence = new InMemoryFence();
  private final Queue<String> violations = new ConcurrentLinkedQueue<>();
  private final List<LeaderElection> nodes = new ArrayList<>();

  @AfterEach
  void closeAllAndLookBack() {
    fence.answer();
    nodes.forEach(LeaderElection::close);
    assertThat(violations).isEmpty();
  }

  /** A gate that opens only if the fence was raised before. */
  private final class CheckedGateControl implements GateControl {
    private final String node;

    CheckedGateControl(String node) {
      this.node = node;
    }

    @Override
    public void open(Grant grant) {
      if (!fence.installed().contains(new FenceState(grant.epoch(), node))) {
        violations.add(node + " opened under " + grant.epoch() + ", unfenced");
      }
    }

    @Override
    public void shut() {}

    @Override
    public long callsInFlight() {
      return 0;
    }
  }

  /** A store that can be emptied while nodes use it. */
  private LeaseStore connect() {
    return new LeaseStore() {
      @Override
      public CompletionStage<LeaseResponse> ask(LeaseRequest request) {
        return lease.connect().ask(request);
      }

      @Override
      public void close() {}
    };
  }

  private LeaderElection node(String name) {
    Timing timing =
        Timing.builder()
            .lease(LEASE)
            .renew(Duration.ofMillis(50))
            .heldBackoff(Backoff.steady(Duration.ofMillis(20), 0.2))
            .unknownBackoff(Backoff.steady(Duration.ofMillis(20), 0.2))
            .build();
    ElectionConfig config = new ElectionConfig("orders", "writer", name, null, timing);
    FencedStore store = new FencedStore(connect(), List.of(fence), name, Duration.ofMillis(100));
    LeaderElection node = new LeaderElection(config, store, new CheckedGateControl(name), Set.of());
    nodes.add(node);
    node.start();
    return node;
  }

  @Test
  void gateDoesNotOpenBeforeTheFenceIsRaised() {
    LeaderElection node = node("a");
    await().atMost(LONG).until(() -> fence.reads() > 0);
    fence.withhold();
    await().atMost(LONG).until(() -> !fence.asked().isEmpty() || node.isLeader());
    boolean early = node.isLeader() && fence.installed().isEmpty();
    fence.answer();

    await().atMost(LONG).until(node::isLeader);
    assertThat(early).isFalse();
    assertThat(fence.state()).isEqualTo(new FenceState(node.epoch(), "a"));
  }

  @Test
  void renewalWaitsForAFenceSlowerThanTheAskTimeout() throws Exception {
    fence.withhold();
    LeaderElection node = node("a");
    await().atMost(LONG).until(() -> fence.reads() > 0);
    fence.answer();
    assertThat(node.awaitLeadership(LONG)).isTrue();

    assertThat(fence.state()).isEqualTo(new FenceState(node.epoch(), "a"));
  }

  @Test
  void nodeWithoutAccessToTheFenceDoesNotLead() throws Exception {
    fence.breakDown("no route");
    LeaderElection node = node("a");

    await().atMost(LONG).until(() -> fence.reads() > 3);

    assertThat(node.isLeader()).isFalse();
    assertThat(node.status().store().degradedReason()).contains("no route");
    fence.breakDown(null);
    assertThat(node.awaitLeadership(LONG)).isTrue();
  }

  @Test
  void epochAfterAStoreWipeIsAboveTheFence() throws Exception {
    fence.set(EpochRange.MAX_EPOCH / 8, "earlier node");

    LeaderElection node = node("a");

    assertThat(node.awaitLeadership(LONG)).isTrue();
    assertThat(node.epoch()).isGreaterThan(EpochRange.MAX_EPOCH / 8);
    assertThat(fence.state()).isEqualTo(new FenceState(node.epoch(), "a"));
  }

  @Test
  void leaderOvertakenAtTheFenceLeadsUnderHigherEpoch() throws Exception {
    LeaderElection node = node("a");
    assertThat(node.awaitLeadership(LONG)).isTrue();
    long first = node.epoch();

    fence.set(first + 1000, "b");

    await().atMost(LONG).until(() -> !node.isLeader());
    await().atMost(LONG).until(() -> node.isLeader() && node.epoch() > first + 1000);
    assertThat(fence.state()).isEqualTo(new FenceState(node.epoch(), "a"));
  }

  @Test
  void storeWipedWhileLeadingIsWonAboveTheFence() throws Exception {
    LeaderElection node = node("a");
    assertThat(node.awaitLeadership(LONG)).isTrue();
    long first = node.epoch();

    lease = new InProcessLease();
    LeaderElection other = node("b"); // Has seen only the fence's epoch.

    await()
        .atMost(LONG)
        .until(() -> nodes.stream().anyMatch(each -> each.isLeader() && each.epoch() > first));
    assertThat(fence.state().epoch()).isGreaterThan(first);
    assertThat(other.epoch()).isGreaterThanOrEqualTo(first);
  }

  @Test
  void resetFenceIsRaisedAgainWithoutLosingLeadership() throws Exception {
    LeaderElection node = node("a");
    assertThat(node.awaitLeadership(LONG)).isTrue();
    long epoch = node.epoch();

    fence.set(1, "older");

    await().atMost(LONG).until(() -> fence.state().equals(new FenceState(epoch, "a")));
    assertThat(node.isLeader()).isTrue();
    assertThat(node.epoch()).isEqualTo(epoch);
  }
}

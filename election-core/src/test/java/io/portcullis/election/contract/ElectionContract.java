package io.portcullis.election.contract;

import static io.portcullis.election.contract.TestTimeouts.MAX_WAIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.portcullis.election.LeaderElection;
import io.portcullis.election.config.Backoff;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.Timing;
import io.portcullis.election.store.LeaseStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests complete elections on a real store. Extended by {@link BackendContract}. */
public abstract class ElectionContract {
  private final List<Claimant> claimants = new ArrayList<>();
  private StoreFixture fixture;

  /** An election of the store in which no node has participated yet. */
  protected abstract StoreFixture newFixture();

  /** A short lease, for tests that wait for its end. No test requires a node to keep it. */
  protected Duration lease() {
    return Duration.ofSeconds(1);
  }

  /** The lease of all tests that require a node to keep it, even on a busy machine. */
  protected Duration steadyLease() {
    return TestTimeouts.STEADY_LEASE;
  }

  /** Whether {@link StoreFixture#wipe()} is supported. */
  protected boolean canBeWiped() {
    return true;
  }

  /** Whether the store sends hints to waiting nodes. */
  protected boolean givesHints() {
    return true;
  }

  /** Whether the store transports a standby's priority request to the leader. */
  protected boolean carriesPriorityRequests() {
    return false;
  }

  /** Whether a release that names a successor sends no hint to other nodes. */
  protected boolean hintsSuccessorOnly() {
    return carriesPriorityRequests();
  }

  /** Number of concurrent candidates in tests with many. */
  protected int concurrentCandidates() {
    return 50;
  }

  /** The timing of all nodes that must keep their lease. */
  protected Timing timing() {
    return timing(steadyLease());
  }

  /** The timing with this lease. The request timeout is long: a new connection may be slow. */
  protected final Timing timing(Duration lease) {
    Duration unit = lease();
    Backoff pace = new Backoff(unit.dividedBy(10), unit.dividedBy(2), 0.1);
    return Timing.builder()
        .lease(lease)
        .renew(unit.dividedBy(5))
        .askTimeout(steadyLease().dividedBy(2))
        .holdAfterLapse(steadyLease())
        .retryThenStepDown(List.of(unit.dividedBy(20), unit.dividedBy(10)))
        .heldBackoff(pace)
        .unknownBackoff(pace)
        .drain(Duration.ofSeconds(1))
        .build();
  }

  @BeforeEach
  final void openFixture() {
    fixture = newFixture();
  }

  @AfterEach
  final void closeClaimants() {
    claimants.forEach(Claimant::close);
  }

  /** The fixture of the current test. */
  protected final StoreFixture fixture() {
    return fixture;
  }

  /** Creates a node whose requests the test sends. */
  protected final Claimant claimant(String node) {
    return keep(new Claimant(fixture, node, timing()));
  }

  /** Closes a resource after the test. */
  protected final Claimant keep(Claimant claimant) {
    claimants.add(claimant);
    return claimant;
  }

  private ElectionConfig config(String node) {
    return config(node, timing());
  }

  private static ElectionConfig config(String node, Timing timing) {
    return new ElectionConfig("contract", "writer", node, null, timing);
  }

  private LeaderElection started(SplitBrainDetector watch, ElectionConfig config) {
    return started(watch, config, fixture.open(config));
  }

  private static LeaderElection started(
      SplitBrainDetector watch, ElectionConfig config, LeaseStore store) {
    LeaderElection election = watch.add(new LeaderElection(config, store));
    election.start();
    return election;
  }

  @Test
  void stepDownHandsOverToTheOtherNode() throws Exception {
    try (SplitBrainDetector watch = new SplitBrainDetector()) {
      LeaderElection first = started(watch, config("first"));
      assertThat(first.awaitLeadership(MAX_WAIT)).isTrue();
      LeaderElection second = started(watch, config("second"));
      long epoch = first.epoch();
      assertThat(second.awaitLeadership(lease())).isFalse();

      first.stepDown();

      assertThat(second.awaitLeadership(MAX_WAIT)).isTrue();
      assertThat(first.isLeader()).isFalse();
      assertThat(second.epoch()).isGreaterThan(epoch);
      watch.assertSafe();
    }
  }

  @Test
  void afterACrashAnotherLeadsWhenTheLeaseEnds() throws Exception {
    try (SplitBrainDetector watch = new SplitBrainDetector()) {
      ElectionConfig brief = config("first", timing(lease()));
      DisconnectedStore store = new DisconnectedStore(fixture.open(brief));
      LeaderElection first = started(watch, brief, store);
      assertThat(first.awaitLeadership(MAX_WAIT)).isTrue();
      LeaderElection second = started(watch, config("second", timing(lease())));
      long epoch = first.epoch();

      store.sever();

      assertThat(second.awaitLeadership(MAX_WAIT)).isTrue();
      assertThat(first.isLeader()).isFalse();
      assertThat(second.epoch()).isGreaterThan(epoch);
      watch.assertSafe();
    }
  }

  @Test
  void requestOfHigherPriorityGetsTheLeadership() throws InterruptedException {
    assumeTrue(carriesPriorityRequests());
    try (SplitBrainDetector watch = new SplitBrainDetector()) {
      LeaderElection leader = started(watch, config("leader"));
      assertThat(leader.awaitLeadership(MAX_WAIT)).isTrue();
      ElectionConfig setup =
          new ElectionConfig("contract", "writer", "preferred", null, timing(), 5);
      LeaderElection preferred = started(watch, setup);
      long epoch = leader.epoch();
      assertThat(leader.preferred()).isEmpty();

      await()
          .atMost(MAX_WAIT)
          .pollInterval(lease().dividedBy(4))
          .until(
              () -> {
                preferred.requestPriority(epoch, Duration.ofMinutes(1));
                return leader.preferred().isPresent();
              });
      assertThat(leader.epoch()).as("leadership has not changed yet").isEqualTo(epoch);
      assertThat(leader.isLeader()).isTrue();
      leader.stepDown("preferred", "priority request");

      assertThat(preferred.awaitLeadership(MAX_WAIT)).isTrue();
      assertThat(leader.isLeader()).isFalse();
      assertThat(preferred.epoch()).isGreaterThan(epoch);
      assertThat(preferred.preferred()).isEmpty();
      watch.assertSafe();
    }
  }

  @Test
  void oneOfManyConcurrentCandidatesWins() {
    try (SplitBrainDetector watch = new SplitBrainDetector()) {
      List<LeaderElection> candidates =
          IntStream.range(0, concurrentCandidates())
              .mapToObj(i -> config("node-" + i))
              .map(config -> watch.add(new LeaderElection(config, fixture.open(config))))
              .toList();

      candidates.forEach(LeaderElection::start);

      await().atMost(MAX_WAIT).until(() -> leadersKnownTo(candidates).size() == 1);
      watch.assertSafe();
    }
  }

  /** The leader that each node knows; empty as long as one of them knows none. */
  private static Set<String> leadersKnownTo(List<LeaderElection> candidates) {
    boolean allKnow = candidates.stream().allMatch(node -> node.leader().isPresent());
    return allKnow
        ? candidates.stream().flatMap(node -> node.leader().stream()).collect(Collectors.toSet())
        : Set.of();
  }
}

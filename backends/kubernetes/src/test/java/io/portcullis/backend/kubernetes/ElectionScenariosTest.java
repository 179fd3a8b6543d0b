package io.portcullis.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.election.LeaderElection;
import io.portcullis.election.Tenure;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.Timing;
import io.portcullis.election.contract.ContenderPair;
import io.portcullis.election.contract.DisconnectedStore;
import io.portcullis.election.contract.SplitBrainDetector;
import io.portcullis.election.machine.LossReason;
import io.portcullis.servers.kubernetes.TestCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What users of client-go's leader election expect, on any cluster. */
@Tag("slow")
class ElectionScenariosTest {
  private static final Duration MAX_WAIT = Duration.ofMinutes(2);

  @TempDir private static Path folder;
  private static TestCluster cluster;
  private final SplitBrainDetector watch = new SplitBrainDetector();
  private LeaseFixture site;

  @BeforeAll
  static void start() {
    cluster = TestCluster.start(folder);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @BeforeEach
  void takeAFreshSite() {
    site = LeaseFixture.fresh(cluster, TestTimings.SHORT);
  }

  @AfterEach
  void tidy() {
    watch.close();
    site.wipe();
  }

  private LeaderElection leader(String name) throws InterruptedException {
    LeaderElection node = site.node(watch, name);
    assertThat(node.awaitLeadership(MAX_WAIT)).isTrue();
    return node;
  }

  private LeaderElection standby(String name, String leader) {
    LeaderElection node = site.node(watch, name);
    await().atMost(MAX_WAIT).until(() -> node.leader().equals(Optional.of(leader)));
    return node;
  }

  private LeaderElection listening(
      RecordingElectionListener events, String name, DisconnectedStore store) {
    LeaderElection node = watch.add(new LeaderElection(config(name), store));
    node.addListener(events);
    node.start();
    return node;
  }

  private ElectionConfig config(String name) {
    return new ElectionConfig("test", "writer", name, null, site.timing());
  }

  private DisconnectedStore store(String name) {
    return new DisconnectedStore(site.open(config(name)));
  }

  private static long renewals(LeaderElection node) {
    return node.metrics().counts().renew().counts().stream().mapToLong(Long::longValue).sum();
  }

  private String holder() {
    return cluster.leases().read(site.name()).orElseThrow().at("/spec/holderIdentity").asText();
  }

  @Test
  void singleNodeBecomesTheLeaderAndHoldsTheLease() throws Exception {
    LeaderElection node = leader("only");

    assertThat(node.isLeader()).isTrue();
    assertThat(holder()).isEqualTo("only");
  }

  @Test
  void exactlyOneOfSeveralNodesLeads() {
    List<LeaderElection> nodes =
        Stream.of("a", "b", "c", "d").map(name -> site.node(watch, name)).toList();

    await()
        .atMost(MAX_WAIT)
        .until(() -> nodes.stream().allMatch(node -> node.leader().isPresent()));

    await()
        .atMost(MAX_WAIT)
        .untilAsserted(
            () -> {
              assertThat(nodes).filteredOn(LeaderElection::isLeader).hasSize(1);
              assertThat(nodes)
                  .extracting(LeaderElection::leader)
                  .containsOnly(Optional.of(holder()));
            });
  }

  @Test
  void defaultDurationsAreFifteenTenAndTwoSeconds() throws Exception {
    site = LeaseFixture.fresh(cluster, TestTimings.DEFAULT);

    leader("only");

    assertThat(site.timing().lease()).isEqualTo(Duration.ofSeconds(15));
    assertThat(site.timing().renewDeadline()).isEqualTo(Duration.ofSeconds(10));
    assertThat(site.timing().renew()).isEqualTo(Duration.ofSeconds(2));
    assertThat(site.timing().retry()).containsOnly(Duration.ofSeconds(2));
    assertThat(seconds()).isEqualTo(15);
  }

  @Test
  void configuredDurationsReplaceTheDefaults() throws Exception {
    Map<String, String> changes =
        Map.of("timing.lease", "9s", "timing.renew-deadline", "4s", "timing.retry", "1s");
    site = LeaseFixture.fresh(cluster, TestTimings.of(changes));

    leader("only");

    assertThat(site.timing().renewDeadline()).isEqualTo(Duration.ofSeconds(4));
    assertThat(site.timing().renew()).isEqualTo(Duration.ofSeconds(1));
    assertThat(seconds()).isEqualTo(9);
  }

  private int seconds() {
    return cluster
        .leases()
        .read(site.name())
        .orElseThrow()
        .at("/spec/leaseDurationSeconds")
        .asInt();
  }

  @Test
  void newLeaderGetsATenureValidWhileItLeads() throws Exception {
    site = LeaseFixture.fresh(cluster, site.steadyTiming());
    RecordingElectionListener events = new RecordingElectionListener();
    LeaderElection node = listening(events, "only", store("only"));
    await().atMost(MAX_WAIT).until(() -> events.started.size() == 1);
    Tenure tenure = events.started.get(0);

    assertThat(tenure.isValid()).isTrue();
    long renewed = renewals(node);
    await().atMost(MAX_WAIT).until(() -> renewals(node) > renewed + 5);
    assertThat(tenure.isValid()).isTrue();
    node.close();

    assertThat(tenure.isValid()).isFalse();
    assertThat(events.stopped).containsExactly(LossReason.STOPPED);
  }

  @Test
  void leaderThatCannotRenewStopsAtItsRenewDeadline() throws Exception {
    RecordingElectionListener events = new RecordingElectionListener();
    DisconnectedStore store = store("only");
    LeaderElection node = listening(events, "only", store);
    assertThat(node.awaitLeadership(MAX_WAIT)).isTrue();

    store.sever();
    ContenderPair.awaitShutWithin(node, site.timing().renewDeadline(), System.nanoTime());

    await().atMost(MAX_WAIT).until(() -> events.stopped.equals(List.of(LossReason.LEASE_RAN_OUT)));
  }

  @Test
  void everyNodeIsNotifiedOfANewLeader() throws Exception {
    site = LeaseFixture.fresh(cluster, site.steadyTiming());
    RecordingElectionListener first = new RecordingElectionListener();
    RecordingElectionListener second = new RecordingElectionListener();
    LeaderElection old = listening(first, "first", store("first"));
    assertThat(old.awaitLeadership(MAX_WAIT)).isTrue();
    listening(second, "second", store("second"));
    await().atMost(MAX_WAIT).until(() -> second.leaders.equals(List.of("first")));

    old.stepDown();

    await().atMost(MAX_WAIT).until(() -> first.leaders.equals(List.of("first", "second")));
    await().atMost(MAX_WAIT).until(() -> second.leaders.equals(List.of("first", "second")));
  }

  @Test
  void everyNodeKnowsTheLeader() throws Exception {
    site = LeaseFixture.fresh(cluster, site.steadyTiming());
    LeaderElection first = leader("first");
    LeaderElection second = standby("second", "first");

    assertThat(first.isLeader()).isTrue();
    assertThat(second.isLeader()).isFalse();
    assertThat(first.leader()).contains("first");
    assertThat(second.leader()).contains("first");
  }

  @Test
  void closingNodeLetsAnotherLeadBeforeTheLeaseEnds() throws Exception {
    site = LeaseFixture.fresh(cluster, TestTimings.SLOW);
    LeaderElection first = leader("first");
    LeaderElection second = standby("second", "first");

    first.close();

    assertThat(second.awaitLeadership(MAX_WAIT)).isTrue();
    assertThat(holder()).isEqualTo("second");
  }

  @Test
  void standbyLeadsNoSoonerThanOneLeaseAfterACrash() throws Exception {
    Timing timing = site.timing();
    DisconnectedStore store = store("first");
    LeaderElection first = listening(new RecordingElectionListener(), "first", store);
    assertThat(first.awaitLeadership(MAX_WAIT)).isTrue();
    LeaderElection second = standby("second", "first");

    long severed = System.nanoTime();
    store.sever();
    assertThat(second.awaitLeadership(MAX_WAIT)).isTrue();

    Duration took = Duration.ofNanos(System.nanoTime() - severed);
    assertThat(took).isGreaterThan(timing.lease().minus(timing.renew()).minusMillis(200));
  }

  @Test
  void standbyThatWaitedForManyLeasesTakesOver() throws Exception {
    DisconnectedStore store = store("first");
    LeaderElection first = listening(new RecordingElectionListener(), "first", store);
    assertThat(first.awaitLeadership(MAX_WAIT)).isTrue();
    LeaderElection second = standby("second", "first");
    long enough = renewals(first) + 15; // Two leases long.
    await().atMost(MAX_WAIT).until(() -> second.isLeader() || renewals(first) > enough);

    store.sever();

    assertThat(second.awaitLeadership(MAX_WAIT)).isTrue();
  }
}

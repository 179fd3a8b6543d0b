package io.portcullis.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.portcullis.election.LeaderElection;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.contract.DisconnectedStore;
import io.portcullis.servers.kubernetes.TestCluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Nodes beside a program that elects by client-go's rules, on any cluster. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class ClientGoInteropTest {
  private static final Duration MAX_WAIT = Duration.ofMinutes(2);

  @TempDir private Path folder;
  private TestCluster cluster;
  private LeaseFixture site;
  private final SingleLeaderMonitor rivals = new SingleLeaderMonitor();
  private final List<AutoCloseable> started = new ArrayList<>();

  @BeforeEach
  void start() {
    cluster = TestCluster.start(folder);
    site = LeaseFixture.fresh(cluster, TestTimings.SHORT);
  }

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable each : started) {
      each.close();
    }
    rivals.close();
    site.wipe();
    cluster.close();
  }

  private ClientGoElector go(String identity) {
    ClientGoElector elector = ClientGoElector.started(site, identity);
    rivals.add(identity, elector::leads);
    started.add(elector);
    return elector;
  }

  private DisconnectedStore store(String identity) {
    return new DisconnectedStore(site.open(config(identity)));
  }

  private ElectionConfig config(String identity) {
    return new ElectionConfig("test", "writer", identity, null, site.timing());
  }

  private LeaderElection node(String identity, DisconnectedStore store) {
    LeaderElection node = new LeaderElection(config(identity), store);
    rivals.add(identity, node::isLeader);
    started.add(node);
    node.start();
    return node;
  }

  private static void until(Callable<Boolean> condition) {
    await().pollInterval(Duration.ofMillis(10)).atMost(MAX_WAIT).until(condition);
  }

  private static Duration since(long nanos) {
    return Duration.ofNanos(System.nanoTime() - nanos);
  }

  private Duration lease() {
    return site.timing().lease();
  }

  private ObjectNode spec() {
    return cluster.leases().read(site.name()).orElseThrow().withObject("/spec");
  }

  private ClientGoElector leadingGo() {
    ClientGoElector go = go("go");
    until(go::leads);
    return go;
  }

  /** A lease longer than any test. */
  private void takeASteadySite() {
    site.wipe();
    site = LeaseFixture.fresh(cluster, site.steadyTiming());
  }

  @Test
  void nodeAcquiresALeaseReleasedByAGoProgramAtOnce() {
    takeASteadySite();
    ClientGoElector go = leadingGo();
    LeaderElection node = node("node", store("node"));
    until(() -> node.leader().equals(Optional.of("go")));

    long closed = System.nanoTime();
    go.close();
    until(node::isLeader);

    assertThat(since(closed)).as("before the lease ends").isLessThan(lease());
    assertThat(spec().path("leaseTransitions").asInt()).isEqualTo(1);
    assertThat(spec().path("holderIdentity").asText()).isEqualTo("node");
  }

  @Test
  void goProgramAcquiresALeaseReleasedByANodeAtOnce() {
    takeASteadySite();
    LeaderElection node = node("node", store("node"));
    until(node::isLeader);
    ClientGoElector go = go("go");
    until(() -> go.leader().equals("node"));
    int transitions = spec().path("leaseTransitions").asInt();

    long closed = System.nanoTime();
    node.close();
    until(go::leads);

    assertThat(since(closed)).as("before the lease ends").isLessThan(lease());
    assertThat(spec().path("leaseTransitions").asInt()).isEqualTo(transitions + 1);
  }

  @Test
  void goProgramKeepsLeadingDespitePriorityRequests() {
    takeASteadySite();
    ClientGoElector go = leadingGo();
    LeaderElection node = node("node", store("node"));
    until(() -> node.leader().equals(Optional.of("go")));

    await()
        .during(site.timing().renew().multipliedBy(15))
        .atMost(MAX_WAIT)
        .until(
            () -> {
              node.requestPriority(node.epoch(), Duration.ofMinutes(1));
              return go.leads() && !node.isLeader();
            });

    assertThat(cluster.leases().read(site.name()).orElseThrow().path("metadata"))
        .asString()
        .contains(LeaseDocument.PRIORITY_REQUEST);
  }

  @Test
  void crashedGoProgramIsWaitedOut() {
    ClientGoElector go = leadingGo();
    LeaderElection node = node("node", store("node"));
    until(() -> node.leader().equals(Optional.of("go")));

    long crashed = System.nanoTime();
    go.crash();
    until(node::isLeader);

    assertThat(since(crashed)).isGreaterThan(lease().minusMillis(600));
  }

  @Test
  void goProgramWaitsOutACrashedNode() {
    DisconnectedStore store = store("node");
    LeaderElection node = node("node", store);
    until(node::isLeader);
    ClientGoElector go = go("go");
    until(() -> go.leader().equals("node"));

    long crashed = System.nanoTime();
    store.sever();
    until(go::leads);

    assertThat(node.isLeader()).isFalse();
    assertThat(since(crashed)).isGreaterThan(lease().minusMillis(600));
  }

  @Test
  void renewalsOfEitherKindKeepTheOtherOut() throws Exception {
    site.wipe();
    site =
        LeaseFixture.fresh(
            cluster, TestTimings.of(Map.of("timing.lease", "5s", "timing.retry", "400ms")));
    LeaderElection node = node("node", store("node"));
    until(node::isLeader);
    ClientGoElector go = go("go");
    until(() -> go.leader().equals("node"));
    long epoch = node.epoch();

    await().pollDelay(lease().multipliedBy(2)).atMost(MAX_WAIT).until(() -> true);
    assertThat(node.isLeader()).isTrue();
    assertThat(node.epoch()).isEqualTo(epoch);
    node.stepDown();
    until(go::leads);

    assertThat(node.awaitLeadership(lease().multipliedBy(2))).isFalse();
    assertThat(go.leads()).isTrue();
    assertThat(node.leader()).contains("go");
  }

  @Test
  void epochsRiseAcrossTenuresOfAGoProgram() throws Exception {
    takeASteadySite();
    LeaderElection node = node("node", store("node"));
    until(node::isLeader);
    long before = node.epoch();
    for (int turn = 0; turn < 3; turn++) {
      ClientGoElector go = go("go-" + turn);
      String name = "go-" + turn;
      until(() -> go.leader().equals("node"));
      node.stepDown();
      until(go::leads);
      until(() -> node.leader().equals(Optional.of(name)));

      go.close();
      until(node::isLeader);

      assertThat(node.epoch()).isGreaterThan(before);
      before = node.epoch();
    }
    assertThat(spec().path("leaseTransitions").asInt()).isEqualTo(7);
  }

  @Test
  void oneOfManyLeadsThroughCrashesAndHandOvers() {
    List<ClientGoElector> gos = List.of(go("go-0"), go("go-1"), go("go-2"));
    List<LeaderElection> nodes =
        List.of(node("a", store("a")), node("b", store("b")), node("c", store("c")));
    for (int turn = 0; turn < 6; turn++) {
      until(
          () ->
              gos.stream().anyMatch(ClientGoElector::leads)
                  || nodes.stream().anyMatch(LeaderElection::isLeader));
      nodes.stream().filter(LeaderElection::isLeader).forEach(LeaderElection::stepDown);
      Consumer<ClientGoElector> end =
          turn % 2 == 0 ? ClientGoElector::crash : ClientGoElector::close;
      gos.stream().filter(ClientGoElector::leads).findAny().ifPresent(end);
      await().pollDelay(Duration.ofMillis(300)).atMost(MAX_WAIT).until(() -> true);
    }
    until(
        () ->
            nodes.stream().anyMatch(LeaderElection::isLeader)
                || gos.stream().anyMatch(ClientGoElector::leads));
  }
}

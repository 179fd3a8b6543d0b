package io.portcullis.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.portcullis.election.LeaderElection;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.contract.DisconnectedStore;
import io.portcullis.servers.kubernetes.TestCluster;
import io.portcullis.servers.kubernetes.Verb;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A node beside a program that elects with fabric8's LeaderElector, on any cluster that allows it
 * to patch Leases; our nodes use PUT instead.
 */
@Execution(ExecutionMode.CONCURRENT)
class Fabric8InteropTest {
  private static final Duration MAX_WAIT = Duration.ofMinutes(2);

  @TempDir private Path folder;
  private TestCluster cluster;
  private LeaseFixture site;
  private KubernetesClient client;
  private DisconnectedStore store;
  private LeaderElection node;
  private final AtomicBoolean otherLeads = new AtomicBoolean();
  private final SingleLeaderMonitor rivals = new SingleLeaderMonitor();

  @BeforeEach
  void start() {
    cluster = TestCluster.startWhereAllowed(folder, Verb.PATCH);
    site = LeaseFixture.fresh(cluster, TestTimings.SHORT);
    client =
        new KubernetesClientBuilder()
            .withConfig(Config.fromKubeconfig(cluster.kubeconfig().toFile()))
            .withHttpClientFactory(new JdkHttpClientFactory())
            .build();
    ElectionConfig config = new ElectionConfig("test", "writer", "node", null, site.timing());
    store = new DisconnectedStore(site.open(config));
    node = new LeaderElection(config, store);
    rivals.add("node", node::isLeader);
    rivals.add("other", otherLeads::get);
  }

  @AfterEach
  void stop() {
    node.close();
    client.close();
    rivals.close();
    site.wipe();
    cluster.close();
  }

  private CompletableFuture<?> other(boolean releases) {
    LeaderCallbacks callbacks =
        new LeaderCallbacks(
            () -> otherLeads.set(true), () -> otherLeads.set(false), identity -> {});
    return client
        .leaderElector()
        .withConfig(
            new LeaderElectionConfigBuilder()
                .withName("other")
                .withLock(new LeaseLock(cluster.namespace(), site.name(), "other"))
                .withLeaseDuration(site.timing().lease())
                .withRenewDeadline(site.timing().renewDeadline())
                .withRetryPeriod(site.timing().renew())
                .withReleaseOnCancel(releases)
                .withLeaderCallbacks(callbacks)
                .build())
        .build()
        .start();
  }

  private static void until(Callable<Boolean> condition) {
    await().pollInterval(Duration.ofMillis(10)).atMost(MAX_WAIT).until(condition);
  }

  private static Duration since(long nanos) {
    return Duration.ofNanos(System.nanoTime() - nanos);
  }

  /** fabric8 leaves its name in the Lease, which is no release in client-go's form. */
  @Test
  void leaseReleasedByFabric8IsWaitedOut() {
    CompletableFuture<?> other = other(true);
    until(otherLeads::get);
    node.start();
    until(() -> node.leader().equals(Optional.of("other")));

    other.cancel(true);
    until(node::isLeader);

    assertThat(node.epoch()).isPositive();
  }

  @Test
  void fabric8AcquiresALeaseReleasedByANode() {
    node.start();
    until(node::isLeader);
    CompletableFuture<?> other = other(true);

    node.close();
    until(otherLeads::get);

    assertThat(other).isNotDone();
  }

  @Test
  void crashedFabric8ElectorIsWaitedOut() {
    CompletableFuture<?> other = other(false);
    until(otherLeads::get);
    node.start();
    until(() -> node.leader().equals(Optional.of("other")));

    long ended = System.nanoTime();
    other.cancel(true);
    until(node::isLeader);

    assertThat(since(ended)).isGreaterThan(site.timing().lease().minusMillis(600));
  }

  @Test
  void fabric8TakesOverFromACrashedNode() {
    node.start();
    until(node::isLeader);
    CompletableFuture<?> other = other(true);

    store.sever();
    until(otherLeads::get);

    assertThat(node.isLeader()).isFalse();
    assertThat(other).isNotDone();
  }
}

package io.portcullis.it.support;

import io.portcullis.servers.kubernetes.ApiServer;
import io.portcullis.servers.kubernetes.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.UUID;

/** One Lease of a cluster, for the nodes of one test; gone with it. */
public final class KubernetesLeaseFixture implements AutoCloseable {
  private final TestCluster cluster;
  private final String name = "it-" + UUID.randomUUID();

  private KubernetesLeaseFixture(TestCluster cluster) {
    this.cluster = cluster;
  }

  /** In the cluster that was given, else in one of its own. */
  public static KubernetesLeaseFixture inAnyCluster(TestEnvironment stage) throws IOException {
    return stage.opened(new KubernetesLeaseFixture(TestCluster.start(stage.folder("kubeconfig"))));
  }

  /** Where the server fails on demand. */
  public static KubernetesLeaseFixture withFaults(TestEnvironment stage) throws IOException {
    return stage.opened(
        new KubernetesLeaseFixture(TestCluster.startOwn(stage.folder("kubeconfig"))));
  }

  /** The demo service with its write path gated, led by way of this Lease. */
  public AgentConf ledger(Duration lease) {
    return AgentConf.kubernetes(
            lease, "kubeconfig = \"" + cluster.kubeconfig() + "\"", "lease = \"" + name + "\"")
        .rule(AgentConf.APPEND);
  }

  /** Who the Lease says leads, empty if it says nobody. */
  public String holder() {
    return cluster.leases().read(name).orElseThrow().path("spec").path("holderIdentity").asText();
  }

  /** Deletes the Lease; false if there was none. */
  public boolean delete() {
    return cluster.leases().delete(name);
  }

  /** The server that fails on demand. */
  public ApiServer server() {
    return cluster.server();
  }

  @Override
  public void close() {
    try (cluster) {
      delete();
    }
  }
}

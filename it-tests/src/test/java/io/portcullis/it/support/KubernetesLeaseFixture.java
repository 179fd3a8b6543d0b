package io.portcullis.it.support;

import io.portcullis.servers.kubernetes.ApiServer;
import io.portcullis.servers.kubernetes.TestCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.UUID;

/** One Lease of a cluster for one test, deleted afterwards. */
public final class KubernetesLeaseFixture implements AutoCloseable {
  private final TestCluster cluster;
  private final String name = "it-" + UUID.randomUUID();

  private KubernetesLeaseFixture(TestCluster cluster) {
    this.cluster = cluster;
  }

  /** Uses the configured cluster, else a new one. */
  public static KubernetesLeaseFixture inAnyCluster(TestEnvironment stage) throws IOException {
    return stage.opened(new KubernetesLeaseFixture(TestCluster.start(stage.folder("kubeconfig"))));
  }

  /** Uses an API server with fault injection. */
  public static KubernetesLeaseFixture withFaults(TestEnvironment stage) throws IOException {
    return stage.opened(
        new KubernetesLeaseFixture(TestCluster.startOwn(stage.folder("kubeconfig"))));
  }

  /** The demo service with its write path gated and its election on this Lease. */
  public AgentConf ledger(Duration lease) {
    return AgentConf.kubernetes(
            lease, "kubeconfig = \"" + cluster.kubeconfig() + "\"", "lease = \"" + name + "\"")
        .rule(AgentConf.APPEND);
  }

  /** The holder in the Lease, empty if there is none. */
  public String holder() {
    return cluster.leases().read(name).orElseThrow().path("spec").path("holderIdentity").asText();
  }

  /** Deletes the Lease; false if there was none. */
  public boolean delete() {
    return cluster.leases().delete(name);
  }

  /** The API server with fault injection. */
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

package io.portcullis.backend.kubernetes;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.portcullis.backend.kubernetes.KubernetesBackend.LeaseName;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.Timing;
import io.portcullis.election.contract.TimedStoreFixture;
import io.portcullis.election.store.LeaseStore;
import io.portcullis.servers.kubernetes.TestCluster;
import java.util.UUID;
import java.util.function.Consumer;

/** One Lease of a cluster that has had no holder yet. */
record LeaseFixture(TestCluster cluster, String name, Timing timing) implements TimedStoreFixture {

  static LeaseFixture fresh(TestCluster cluster, Timing timing) {
    return new LeaseFixture(cluster, "test-" + UUID.randomUUID(), timing);
  }

  KubernetesLease lease() {
    return new KubernetesLease(
        timing,
        Kubeconfig.read(cluster.kubeconfig(), null),
        new LeaseName(cluster.namespace(), name),
        null);
  }

  @Override
  public LeaseStore open(ElectionConfig config) {
    return lease().open(config);
  }

  @Override
  public void wipe() {
    cluster.leases().delete(name);
  }

  /** Changes it as a person with kubectl does. */
  void edit(Consumer<ObjectNode> change) {
    cluster.leases().edit(name, change);
  }

  ObjectNode json() {
    return cluster.leases().read(name).orElseThrow();
  }
}

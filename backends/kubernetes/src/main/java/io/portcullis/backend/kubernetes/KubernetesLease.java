package io.portcullis.backend.kubernetes;

import io.portcullis.backend.kubernetes.KubernetesAccess.ClusterEnvironment;
import io.portcullis.backend.kubernetes.KubernetesBackend.LeaseName;
import io.portcullis.election.backend.StorePlan;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.Timing;
import io.portcullis.election.store.LeaseStore;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One election on one Lease, its settings found to be right.
 *
 * <p>As a library: {@code new LeaderElection(config, KubernetesLease.inCluster(namespace, name,
 * timing).open(config))}.
 */
public final class KubernetesLease implements StorePlan {
  /** Where Kubernetes puts what a pod needs to speak with the API server. */
  public static final Path SERVICE_ACCOUNT =
      Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

  private final Timing timing;
  private final KubernetesAccess access;
  private final LeaseName name;
  private final @Nullable String pod;

  /**
   * @param pod the pod to label with the role, null for none
   */
  KubernetesLease(Timing timing, KubernetesAccess access, LeaseName name, @Nullable String pod) {
    this.timing = Objects.requireNonNull(timing, "timing");
    this.access = Objects.requireNonNull(access, "access");
    this.name = Objects.requireNonNull(name, "name");
    this.pod = pod;
  }

  /**
   * The Lease of this name in this namespace, as the service account of the pod.
   *
   * @throws io.portcullis.election.config.InvalidElectionException if a name is missing or can't be
   *     one
   */
  public static KubernetesLease inCluster(String namespace, String name, Timing timing) {
    LeaseName lease = new LeaseName(namespace, name);
    String server = ClusterEnvironment.apiServer(System.getenv());
    if (server == null) {
      throw new IllegalStateException(
          "KUBERNETES_SERVICE_HOST is not set: this process runs in no pod; use a kubeconfig");
    }
    return new KubernetesLease(
        timing, new KubernetesAccess.InCluster(server, SERVICE_ACCOUNT), lease, null);
  }

  /**
   * The Lease of this name in this namespace, by way of a kubeconfig.
   *
   * @param context the context to use, null for the file's current one
   * @throws io.portcullis.election.config.InvalidElectionException if a name is missing or can't be
   *     one, or the file has no such context
   */
  public static KubernetesLease byKubeconfig(
      Path file, @Nullable String context, String namespace, String name, Timing timing) {
    LeaseName lease = new LeaseName(namespace, name);
    return new KubernetesLease(timing, Kubeconfig.read(file, context), lease, null);
  }

  @Override
  public Timing timing() {
    return timing;
  }

  KubernetesAccess access() {
    return access;
  }

  LeaseName name() {
    return name;
  }

  @Nullable String pod() {
    return pod;
  }

  @Override
  public String storeKey() {
    return "kubernetes " + access.server() + " " + name;
  }

  @Override
  public String describe() {
    return "Lease " + name + " at " + access.server();
  }

  /** Each wish is a write, so those who prefer nobody send none. */
  @Override
  public boolean carriesPriorityRequestOf(int priority) {
    return priority > 0;
  }

  @Override
  public LeaseStore open(ElectionConfig config) {
    return KubernetesLeaseStore.open(this, config, InstantSource.system());
  }
}

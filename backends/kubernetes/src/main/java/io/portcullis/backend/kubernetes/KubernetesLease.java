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
 * Validated settings of an election that uses a Kubernetes Lease.
 *
 * <p>As a library: {@code new LeaderElection(config, KubernetesLease.inCluster(namespace, name,
 * timing).open(config))}.
 */
public final class KubernetesLease implements StorePlan {
  /** Folder in a pod with the token, certificate and namespace of its service account. */
  public static final Path SERVICE_ACCOUNT =
      Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

  private final Timing timing;
  private final KubernetesAccess access;
  private final LeaseName name;
  private final @Nullable String pod;

  /**
   * Creates the settings.
   *
   * @param pod the pod to label with the role, null for none
   */
  KubernetesLease(Timing timing, KubernetesAccess access, LeaseName name, @Nullable String pod) {
    this.timing = Objects.requireNonNull(timing, "timing");
    this.access = Objects.requireNonNull(access, "access");
    this.name = Objects.requireNonNull(name, "name");
    this.pod = pod;
  }

  /**
   * Returns the settings for a Lease, accessed with the service account of the pod.
   *
   * @throws io.portcullis.election.config.InvalidElectionException if a name is missing or invalid
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
   * Returns the settings for a Lease, accessed with a kubeconfig.
   *
   * @param context the context to use, null for the file's current one
   * @throws io.portcullis.election.config.InvalidElectionException if a name is missing or invalid,
   *     or the file has no such context
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

  /** Each priority request is a write, so only nodes with a positive priority send them. */
  @Override
  public boolean carriesPriorityRequestOf(int priority) {
    return priority > 0;
  }

  @Override
  public LeaseStore open(ElectionConfig config) {
    return KubernetesLeaseStore.open(this, config, InstantSource.system());
  }
}

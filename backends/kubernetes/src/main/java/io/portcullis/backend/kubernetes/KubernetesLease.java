package io.portcullis.backend.kubernetes;

import io.portcullis.backend.kubernetes.KubernetesBackend.LeaseName;
import io.portcullis.election.backend.LeaseBuilder;
import io.portcullis.election.backend.StorePlan;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.InvalidElectionException;
import io.portcullis.election.config.Timing;
import io.portcullis.election.store.LeaseStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The lease of an election as a Kubernetes Lease, also for use without the agent:
 *
 * <pre>{@code
 * StorePlan lease = KubernetesLease.builder().namespace("shop").name("orders-writer").build();
 * LeaderElection election = LeaderElection.on(lease).start();
 * }</pre>
 */
public final class KubernetesLease implements StorePlan {
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
   * A builder with the agent's defaults. Only {@link Builder#name} has none: in a pod, the API
   * server, the credentials and the namespace are those of its service account.
   */
  public static Builder builder() {
    return new Builder(new KubernetesBackend());
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

  /** Builds the lease of one election on Kubernetes. */
  public static final class Builder extends LeaseBuilder<Builder> {
    private static final String NAME = "kubernetes.lease";

    private final KubernetesBackend backend;

    Builder(KubernetesBackend backend) {
      super(backend);
      this.backend = backend;
    }

    @Override
    protected Builder self() {
      return this;
    }

    /** The key {@code lease} is the option {@code name}: {@code lease} is the length of a grant. */
    @Override
    protected String optionName(String path) {
      return path.equals(NAME) ? "name" : super.optionName(path);
    }

    /** The namespace of the Lease; default: that of the pod or of the kubeconfig's context. */
    public Builder namespace(String namespace) {
      return set("kubernetes.namespace", namespace);
    }

    /** The name of the Lease, the same on every node. Required. */
    public Builder name(String name) {
      return set(NAME, name);
    }

    /** A kubeconfig, instead of the service account of the pod. */
    public Builder kubeconfig(Path file) {
      return set("kubernetes.kubeconfig", file);
    }

    /** A context of the kubeconfig, instead of its current one. */
    public Builder context(String context) {
      return set("kubernetes.context", context);
    }

    /** The API server for the service account, if the pod's environment does not name it. */
    public Builder apiServer(String address) {
      return set("kubernetes.api-server", address);
    }

    /** The folder with the service account's token, {@code ca.crt} and namespace. */
    public Builder serviceAccount(Path folder) {
      return set("kubernetes.service-account", folder);
    }

    /** Whether the pod gets the label {@code portcullis.io/role}. */
    public Builder labelPod(boolean label) {
      return set("kubernetes.label-pod", label);
    }

    /** The name of this pod, if the environment does not name it. */
    public Builder pod(String name) {
      return set("kubernetes.pod", name);
    }

    /** The gate shuts this long after the last successful renewal was sent. */
    public Builder renewDeadline(Duration deadline) {
      return set("timing.renew-deadline", deadline);
    }

    /** Pause between renewals, and between the attempts of a standby. */
    public Builder retry(Duration pause) {
      return set("timing.retry", pause);
    }

    /**
     * Checks all options; opens no connection.
     *
     * @throws InvalidElectionException with every problem
     */
    public StorePlan build() {
      return plan(
          settings -> backend.plan("library", "leader", settings),
          Map.of(NAME, "the name of the Lease, the same on every node"));
    }
  }
}

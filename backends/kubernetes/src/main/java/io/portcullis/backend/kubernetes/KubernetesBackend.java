package io.portcullis.backend.kubernetes;

import io.portcullis.backend.kubernetes.KubernetesAccess.ClusterEnvironment;
import io.portcullis.backend.kubernetes.KubernetesAccess.ServerAddress;
import io.portcullis.election.backend.Backend;
import io.portcullis.election.backend.Settings;
import io.portcullis.election.backend.StorePlan;
import io.portcullis.election.config.InvalidElectionException;
import io.portcullis.election.config.Timing;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The backend {@code kubernetes}: reads and validates its settings. */
public final class KubernetesBackend implements Backend {
  private final Map<String, String> environment;

  /** Used by {@link java.util.ServiceLoader}. */
  public KubernetesBackend() {
    this(System.getenv());
  }

  KubernetesBackend(Map<String, String> environment) {
    this.environment = environment;
  }

  @Override
  public String name() {
    return "kubernetes";
  }

  @Override
  public @Nullable StorePlan plan(String service, String election, Settings settings) {
    int before = settings.problems();
    Timing timing = KubernetesTiming.read(settings.section("timing"));
    Settings kubernetes = settings.section("kubernetes");
    KubernetesAccess access = access(kubernetes);
    String namespace = namespace(kubernetes, access);
    String lease = lease(kubernetes, service, election);
    String pod = pod(kubernetes);
    return timing == null || access == null || settings.problems() > before
        ? null
        : new KubernetesLease(timing, access, new LeaseName(namespace, lease), pod);
  }

  private @Nullable KubernetesAccess access(Settings kubernetes) {
    Optional<String> file = kubernetes.optionalText("kubeconfig");
    Optional<String> context = kubernetes.optionalText("context");
    Optional<String> server = kubernetes.optionalText("api-server");
    Path folder = Path.of(kubernetes.text("service-account"));
    if (file.isPresent()) {
      return kubeconfig(kubernetes, Path.of(file.get()), context.orElse(null));
    }
    if (context.isPresent()) {
      kubernetes.refuse("context", "is set, but no kubeconfig; name the file too.");
    }
    String address = server.orElse(ClusterEnvironment.apiServer(environment));
    if (address == null) {
      kubernetes.refuse(
          "kubeconfig",
          "is missing, and this process runs in no pod: KUBERNETES_SERVICE_HOST is not set; name a"
              + " kubeconfig.");
      return null;
    }
    String problem = ServerAddress.problem(address);
    if (problem != null) {
      kubernetes.refuse("api-server", problem);
      return null;
    }
    KubernetesAccess.InCluster access = new KubernetesAccess.InCluster(address, folder);
    if (!KubernetesAccess.InCluster.isReadable(access.token())) {
      kubernetes.refuse(
          "service-account",
          "has no token that can be read: "
              + access.token()
              + "; let the pod mount its service account (automountServiceAccountToken), or name a"
              + " kubeconfig.");
      return null;
    }
    return access;
  }

  private static @Nullable KubernetesAccess kubeconfig(
      Settings kubernetes, Path file, @Nullable String context) {
    try {
      return Kubeconfig.read(file, context);
    } catch (InvalidElectionException e) {
      for (String problem : e.problems()) {
        int space = problem.indexOf(' ');
        kubernetes.refuse(problem.substring(0, space), problem.substring(space + 1));
      }
      return null;
    }
  }

  private static String namespace(Settings kubernetes, @Nullable KubernetesAccess access) {
    Optional<String> given = kubernetes.optionalText("namespace");
    String namespace = given.orElse(access == null ? null : access.namespace());
    String problem = LeaseName.namespaceProblem(namespace);
    if (problem != null && access != null) {
      kubernetes.refuse("namespace", problem);
    }
    return namespace == null ? "" : namespace;
  }

  private static String lease(Settings kubernetes, String service, String election) {
    String name = kubernetes.optionalText("lease").orElse(service + "-" + election);
    String problem = LeaseName.nameProblem(name);
    if (problem != null) {
      kubernetes.refuse("lease", problem);
    }
    return name;
  }

  private @Nullable String pod(Settings kubernetes) {
    Optional<String> given = kubernetes.optionalText("pod");
    if (!kubernetes.flag("label-pod")) {
      return null;
    }
    String pod = given.orElse(ClusterEnvironment.pod(environment));
    String problem = LeaseName.nameProblem(pod);
    if (problem != null) {
      kubernetes.refuse(
          "pod",
          "must be the name of this node's own pod, since label-pod is set; it is '"
              + (pod == null ? "" : pod)
              + "'. Set POD_NAME by the downward API.");
    }
    return pod;
  }

  /**
   * Namespace and name of a Lease.
   *
   * @param namespace the namespace
   * @param name the name of the Lease
   */
  record LeaseName(String namespace, String name) {
    private static final int MAX_NAMESPACE_LENGTH = 63;
    private static final int MAX_NAME_LENGTH = 253;
    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
    private static final Pattern SUBDOMAIN =
        Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

    /** Validates both; the exception lists all problems. */
    LeaseName {
      List<String> problems = new ArrayList<>();
      String space = namespaceProblem(namespace);
      if (space != null) {
        problems.add("namespace " + space);
      }
      String lease = nameProblem(name);
      if (lease != null) {
        problems.add("lease " + lease);
      }
      if (!problems.isEmpty()) {
        throw new InvalidElectionException("incomplete Lease", problems);
      }
    }

    /** Returns the problem with a namespace, null if it is valid. */
    static @Nullable String namespaceProblem(@Nullable String namespace) {
      if (namespace == null || namespace.isBlank()) {
        return "is missing: the namespace in which the Lease is kept.";
      }
      return LABEL.matcher(namespace).matches() && namespace.length() <= MAX_NAMESPACE_LENGTH
          ? null
          : "'"
              + namespace
              + "' is not a namespace name: lower-case letters, digits and hyphens, at most 63.";
    }

    /** Returns the problem with the name of a Lease, null if it is valid. */
    static @Nullable String nameProblem(@Nullable String name) {
      if (name == null || name.isBlank()) {
        return "is missing: the name of the Lease, the same on every node.";
      }
      return SUBDOMAIN.matcher(name).matches() && name.length() <= MAX_NAME_LENGTH
          ? null
          : "'"
              + name
              + "' is not a Lease name: lower-case letters, digits, hyphens and dots, such as"
              + " orders-writer.";
    }

    boolean isOf(LeaseDocument lease) {
      return lease.name().equals(name) && lease.namespace().equals(namespace);
    }

    String collection() {
      return "/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases";
    }

    String path() {
      return collection() + "/" + name;
    }

    @Override
    public String toString() {
      return namespace + "/" + name;
    }
  }
}

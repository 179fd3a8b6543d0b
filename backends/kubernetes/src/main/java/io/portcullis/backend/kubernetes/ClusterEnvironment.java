package io.portcullis.backend.kubernetes;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What Kubernetes tells a process by its environment. */
final class ClusterEnvironment {
  private ClusterEnvironment() {}

  /** Where the API server is, null outside of a pod. */
  static @Nullable String apiServer(Map<String, String> variables) {
    String host = variables.get("KUBERNETES_SERVICE_HOST");
    String port = variables.getOrDefault("KUBERNETES_SERVICE_PORT", "443");
    if (host == null || host.isBlank()) {
      return null;
    }
    return "https://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }

  /** The name of the own pod, null if nothing tells it. A pod's host is named like the pod. */
  static @Nullable String pod(Map<String, String> variables) {
    String told = variables.get("POD_NAME");
    return told != null && !told.isBlank() ? told : variables.get("HOSTNAME");
  }
}

package io.portcullis.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.backend.kubernetes.KubernetesAccess.ClusterEnvironment;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClusterEnvironmentTest {
  private static final String HOST = "KUBERNETES_SERVICE_HOST";

  @Test
  void podFindsTheServerFromItsEnvironment() {
    assertThat(
            ClusterEnvironment.apiServer(
                Map.of(HOST, "10.0.0.1", "KUBERNETES_SERVICE_PORT", "6443")))
        .isEqualTo("https://10.0.0.1:6443");
    assertThat(ClusterEnvironment.apiServer(Map.of(HOST, "fd00::1")))
        .isEqualTo("https://[fd00::1]:443");
    assertThat(ClusterEnvironment.apiServer(Map.of())).isNull();
    assertThat(ClusterEnvironment.apiServer(Map.of(HOST, " "))).isNull();
  }

  @Test
  void podNameComesFromTheDownwardApiOrTheHostName() {
    assertThat(ClusterEnvironment.pod(Map.of("POD_NAME", "a-1", "HOSTNAME", "host")))
        .isEqualTo("a-1");
    assertThat(ClusterEnvironment.pod(Map.of("POD_NAME", " ", "HOSTNAME", "host")))
        .isEqualTo("host");
    assertThat(ClusterEnvironment.pod(Map.of())).isNull();
  }
}

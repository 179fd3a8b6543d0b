package io.portcullis.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.InvalidElectionException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** An election needs an identity, a Lease and a namespace. */
class MissingNamesTest {

  @Test
  void missingNamesAreRefusedEachByItsName() {
    Path file = Path.of("kubeconfig");

    assertThatThrownBy(() -> new ElectionConfig("test", "writer", "", null, TestTimings.SHORT))
        .isInstanceOf(InvalidElectionException.class)
        .hasMessageContaining("identity is missing");
    assertThatThrownBy(
            () -> KubernetesLease.byKubeconfig(file, null, "default", "", TestTimings.SHORT))
        .isInstanceOf(InvalidElectionException.class)
        .hasMessageContaining("lease is missing");
    assertThatThrownBy(
            () -> KubernetesLease.byKubeconfig(file, null, "", "writer", TestTimings.SHORT))
        .isInstanceOf(InvalidElectionException.class)
        .hasMessageContaining("namespace is missing");
  }
}

package io.portcullis.servers.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster given by its kubeconfig; here a local server is used as one. */
class ExternalClusterTest {
  private static final String NAME = "portcullis-given-cluster-test";

  @TempDir private Path folder;

  @Test
  void externalClusterInjectsNoFaults() {
    try (TestCluster own = TestCluster.startOwn(folder);
        TestCluster given = TestCluster.given(own.kubeconfig())) {
      own.server().faults().requireToken(ApiServer.TOKEN);
      given.leases().create(NAME, Json.object());

      assertThat(own.canFault()).isTrue();
      assertThat(given.canFault()).isFalse();
      assertThat(given.namespace()).isEqualTo(own.namespace());
      assertThat(own.leases().read(NAME)).isPresent();
      assertThatThrownBy(given::server).isInstanceOf(UnsupportedOperationException.class);
    }
  }

  @Test
  void clusterWithoutTheNeededRightsIsReplaced() {
    try (TestCluster own = TestCluster.startOwn(folder.resolve("own"))) {
      try (TestCluster allowing =
          TestCluster.whereAllowed(TestCluster.given(own.kubeconfig()), folder, Verb.PATCH)) {
        assertThat(allowing.canFault()).isFalse();
      }

      own.server().faults().set(Fault.forbidden(), Verb.PATCH);

      try (TestCluster other =
          TestCluster.whereAllowed(TestCluster.given(own.kubeconfig()), folder, Verb.PATCH)) {
        assertThat(other.canFault()).isTrue();
      }
    }
  }
}

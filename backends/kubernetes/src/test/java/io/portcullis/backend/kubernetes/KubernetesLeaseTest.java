package io.portcullis.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.backend.kubernetes.KubernetesBackend.LeaseName;
import io.portcullis.election.backend.StorePlan;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.InvalidElectionException;
import io.portcullis.election.contract.OneShotContract;
import io.portcullis.election.contract.TestTimeouts;
import io.portcullis.servers.kubernetes.TestCluster;
import io.portcullis.testsupport.DocumentedExample;
import io.portcullis.testsupport.DocumentedExample.Run;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kubernetes without the agent. */
class KubernetesLeaseTest extends OneShotContract {
  private static final Map<String, String> POD = Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1");

  @TempDir private static Path shared;
  private static TestCluster cluster;

  @TempDir private Path folder;

  @BeforeAll
  static void start() {
    cluster = TestCluster.start(shared);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Override
  protected StorePlan newLease() {
    return KubernetesLease.builder()
        .kubeconfig(cluster.kubeconfig())
        .name("test-" + UUID.randomUUID())
        .lease(TestTimeouts.STEADY_LEASE)
        .build();
  }

  @Test
  void defaultsAreThoseOfTheAgent() throws Exception {
    KubernetesLease plan =
        (KubernetesLease)
            new KubernetesLease.Builder(new KubernetesBackend(POD))
                .serviceAccount(serviceAccount())
                .name("orders-writer")
                .build();

    assertThat(plan.timing()).isEqualTo(TestTimings.DEFAULT);
    assertThat(plan.access().server()).isEqualTo("https://10.0.0.1:443");
    assertThat(plan.name()).isEqualTo(new LeaseName("shop", "orders-writer"));
    assertThat(plan.pod()).isNull();
  }

  @Test
  void everyOptionIsUsed() throws Exception {
    KubernetesLease plan =
        (KubernetesLease)
            new KubernetesLease.Builder(new KubernetesBackend(POD))
                .serviceAccount(serviceAccount())
                .apiServer("https://api.example:6443")
                .namespace("other")
                .name("orders-writer")
                .labelPod(true)
                .pod("orders-0")
                .lease(Duration.ofSeconds(30))
                .renewDeadline(Duration.ofSeconds(22))
                .retry(Duration.ofSeconds(3))
                .build();

    assertThat(plan.timing())
        .isEqualTo(
            TestTimings.of(
                Map.of(
                    "timing.lease", "30s",
                    "timing.renew-deadline", "22s",
                    "timing.retry", "3s")));
    assertThat(plan.storeKey())
        .isEqualTo("kubernetes https://api.example:6443 other/orders-writer");
    assertThat(plan.pod()).isEqualTo("orders-0");
  }

  private Path serviceAccount() throws Exception {
    Files.writeString(folder.resolve("token"), "token");
    Files.writeString(folder.resolve("namespace"), "shop");
    return folder;
  }

  @Test
  void allMissingAndInvalidOptionsAreReportedTogether() {
    assertThatThrownBy(
            () ->
                new KubernetesLease.Builder(new KubernetesBackend(Map.of()))
                    .lease(Duration.ofMillis(1500))
                    .context("staging")
                    .build())
        .isInstanceOf(InvalidElectionException.class)
        .hasMessageContainingAll(
            "lease is 1500ms; it must be whole seconds",
            "context is set, but no kubeconfig",
            "kubeconfig is missing, and this process runs in no pod",
            "name is missing: the name of the Lease")
        .hasMessageNotContaining("library-leader");
    assertThatThrownBy(
            () ->
                KubernetesLease.builder()
                    .kubeconfig(cluster.kubeconfig())
                    .namespace("A")
                    .name("B")
                    .build())
        .hasMessageContainingAll(
            "namespace 'A' is not a namespace name", "name 'B' is not a Lease name");
    assertThatThrownBy(() -> new ElectionConfig("test", "writer", "", null, TestTimings.SHORT))
        .isInstanceOf(InvalidElectionException.class)
        .hasMessageContaining("identity is missing");
  }

  @Test
  void documentedExampleLeadsAndReleases() throws Exception {
    DocumentedExample example = DocumentedExample.of("docs/library.md", "Kubernetes");
    assertThat(example.length()).isLessThanOrEqualTo(10);
    String name = "test-" + UUID.randomUUID();

    try (Run run =
        example
            .with(".builder()", ".builder().kubeconfig(Path.of(\"" + cluster.kubeconfig() + "\"))")
            .with("\"shop\"", "\"" + cluster.namespace() + "\"")
            .with("orders-writer", name)
            .start(
                folder,
                "io.portcullis.backend.kubernetes",
                "io.portcullis.election",
                "io.portcullis.election.backend")) {
      run.awaitWork();
      assertThat(holder(name)).isNotEmpty();
    }

    assertThat(holder(name)).isEmpty();
  }

  private static String holder(String name) {
    return cluster.leases().read(name).orElseThrow().at("/spec/holderIdentity").asText();
  }
}

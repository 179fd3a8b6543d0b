package io.portcullis.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.backend.kubernetes.KubernetesBackend.LeaseName;
import io.portcullis.election.backend.Backend;
import io.portcullis.election.backend.StorePlan;
import io.portcullis.election.contract.ReferenceSettings;
import io.portcullis.servers.kubernetes.ApiServer;
import io.portcullis.servers.kubernetes.ClientConfigFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The settings of an election on Kubernetes, valid and invalid. */
class KubernetesBackendTest {
  private static final Map<String, String> POD =
      Map.of(
          "KUBERNETES_SERVICE_HOST", "10.0.0.1",
          "KUBERNETES_SERVICE_PORT", "6443",
          "HOSTNAME", "orders-0");

  private static ApiServer server;

  @TempDir private Path folder;
  private Path account;

  @BeforeAll
  static void start() {
    server = ApiServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void mountServiceAccount() {
    account = server.serviceAccount(folder.resolve("account"));
  }

  private ReferenceSettings settings(Map<String, String> changes) {
    Map<String, String> all =
        new HashMap<>(Map.of("kubernetes.service-account", account.toString()));
    all.putAll(changes);
    return ReferenceSettings.of(KubernetesBackend.class, all);
  }

  private KubernetesLease plan(Map<String, String> environment, Map<String, String> changes) {
    ReferenceSettings settings = settings(changes);
    StorePlan plan = new KubernetesBackend(environment).plan("orders", "writer", settings);
    assertThat(settings.refusals()).isEmpty();
    return (KubernetesLease) Objects.requireNonNull(plan);
  }

  private String refusal(Map<String, String> environment, Map<String, String> changes) {
    ReferenceSettings settings = settings(changes);
    assertThat(new KubernetesBackend(environment).plan("orders", "writer", settings)).isNull();
    return String.join("\n", settings.refusals());
  }

  @Test
  void serviceLoaderFindsTheBackend() {
    assertThat(ServiceLoader.load(Backend.class))
        .anyMatch(backend -> backend.name().equals("kubernetes"));
  }

  @Test
  void podNeedsNoSettings() {
    KubernetesLease plan = plan(POD, Map.of());

    assertThat(plan.name()).isEqualTo(new LeaseName(ApiServer.NAMESPACE, "orders-writer"));
    assertThat(plan.storeKey())
        .isEqualTo("kubernetes https://10.0.0.1:6443 portcullis-test/orders-writer");
    assertThat(plan.describe())
        .isEqualTo("Lease portcullis-test/orders-writer at https://10.0.0.1:6443");
    assertThat(plan.pod()).isNull();
    assertThat(plan(POD, Map.of("kubernetes.label-pod", "true")).pod()).isEqualTo("orders-0");
  }

  @Test
  void configuredValuesAreUsed() {
    KubernetesLease plan =
        plan(
            POD,
            Map.of(
                "kubernetes.namespace", "shop",
                "kubernetes.lease", "leader.of-orders",
                "kubernetes.api-server", "https://api.example:6443/",
                "kubernetes.label-pod", "true",
                "kubernetes.pod", "this-one"));

    assertThat(plan.name()).isEqualTo(new LeaseName("shop", "leader.of-orders"));
    assertThat(plan.storeKey()).startsWith("kubernetes https://api.example:6443");
    assertThat(plan.pod()).isEqualTo("this-one");
  }

  @Test
  void contextOfAKubeconfigSetsServerAndNamespace() {
    String file = server.kubeconfigOfTwo(folder, ClientConfigFiles.WRONG).toString();

    KubernetesLease current = plan(Map.of(), Map.of("kubernetes.kubeconfig", file));
    KubernetesLease named =
        plan(
            POD,
            Map.of("kubernetes.kubeconfig", file, "kubernetes.context", ClientConfigFiles.RIGHT));

    assertThat(current.name().namespace()).isEqualTo("wrong-namespace");
    assertThat(named.name().namespace()).isEqualTo(ApiServer.NAMESPACE);
    assertThat(named.storeKey()).startsWith("kubernetes " + server.url());
    assertThat(named.describe() + named.storeKey()).doesNotContain(ApiServer.TOKEN);
  }

  @Test
  void kubeconfigIsRequiredOutsideOfAPod() {
    assertThat(refusal(Map.of(), Map.of()))
        .isEqualTo(
            "kubernetes.kubeconfig is missing, and this process runs in no pod:"
                + " KUBERNETES_SERVICE_HOST is not set; name a kubeconfig.");
    assertThat(refusal(Map.of("KUBERNETES_SERVICE_HOST", " "), Map.of()))
        .contains("KUBERNETES_SERVICE_HOST");
  }

  @Test
  void podWithoutATokenGetsARemedy() throws IOException {
    Files.delete(account.resolve("token"));

    assertThat(refusal(POD, Map.of()))
        .startsWith("kubernetes.service-account has no token")
        .contains(account.resolve("token").toString(), "automountServiceAccountToken");
  }

  @Test
  void missingNamespaceIsReported() throws IOException {
    Files.delete(account.resolve("namespace"));

    assertThat(refusal(POD, Map.of())).startsWith("kubernetes.namespace is missing");
    assertThat(plan(POD, Map.of("kubernetes.namespace", "shop")).name().namespace())
        .isEqualTo("shop");
  }

  @Test
  void contextWithoutANamespaceIsReported() throws IOException {
    Path file = server.kubeconfig(folder);
    Files.writeString(file, Files.readString(file).replaceAll("    namespace: .*\n", ""));

    assertThat(refusal(Map.of(), Map.of("kubernetes.kubeconfig", file.toString())))
        .startsWith("kubernetes.namespace is missing");
  }

  @Test
  void unreadableFileIsReported() {
    assertThat(refusal(POD, Map.of("kubernetes.kubeconfig", "/no/such/file")))
        .isEqualTo("kubernetes.kubeconfig names a file that can't be read: /no/such/file.");
    assertThat(refusal(POD, Map.of("kubernetes.kubeconfig", folder.toString())))
        .startsWith("kubernetes.kubeconfig ")
        .contains(folder.toString());
  }

  @Test
  void contextMissingInTheFileIsReported() {
    String file = server.kubeconfig(folder).toString();

    assertThat(refusal(POD, Map.of("kubernetes.kubeconfig", file, "kubernetes.context", "staging")))
        .isEqualTo("kubernetes.context 'staging' is no context of " + file + ".");
    assertThat(refusal(POD, Map.of("kubernetes.context", "staging")))
        .isEqualTo("kubernetes.context is set, but no kubeconfig; name the file too.");
  }

  @ParameterizedTest
  @CsvSource({
    "kubernetes.namespace, Shop",
    "kubernetes.namespace, a.b",
    "kubernetes.namespace, -a",
    "kubernetes.lease, Orders",
    "kubernetes.lease, orders_writer",
    "kubernetes.lease, orders/writer",
    "kubernetes.lease, a..b",
    "kubernetes.api-server, 10.0.0.1:6443",
    "kubernetes.api-server, https://",
    "kubernetes.api-server, 'https://a b'"
  })
  void invalidNamesAreRefused(String key, String value) {
    assertThat(refusal(POD, Map.of(key, value))).startsWith(key + " '" + value + "' is not a");
  }

  @Test
  void namesThatAreTooLongAreRefused() {
    assertThat(refusal(POD, Map.of("kubernetes.namespace", "a".repeat(64)))).contains("63");
    assertThat(refusal(POD, Map.of("kubernetes.lease", "a".repeat(254))))
        .startsWith("kubernetes.lease ");
  }

  @Test
  void serviceWithAnInvalidNameNeedsALeaseName() {
    ReferenceSettings settings = settings(Map.of());

    assertThat(new KubernetesBackend(POD).plan("Orders_1", "writer", settings)).isNull();
    assertThat(settings.refusals())
        .singleElement()
        .asString()
        .startsWith("kubernetes.lease 'Orders_1-writer' is not a Lease name");
  }

  @Test
  void labelNeedsThePodName() {
    Map<String, String> nameless = new HashMap<>(POD);
    nameless.remove("HOSTNAME");

    assertThat(refusal(nameless, Map.of("kubernetes.label-pod", "true")))
        .startsWith("kubernetes.pod must be the name of this node's own pod")
        .contains("POD_NAME");
  }

  @Test
  void allMistakesAreReportedTogether() {
    String refusals =
        refusal(
            Map.of(),
            Map.of(
                "kubernetes.context", "staging",
                "kubernetes.lease", "A",
                "kubernetes.label-pod", "true",
                "timing.lease", "1500ms"));

    assertThat(refusals.lines().map(line -> line.substring(0, line.indexOf(' '))))
        .containsExactlyInAnyOrder(
            "timing.lease",
            "kubernetes.context",
            "kubernetes.kubeconfig",
            "kubernetes.lease",
            "kubernetes.pod");
  }
}

package io.portcullis.servers.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.portcullis.servers.SelfSignedCertificate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Also runs on the cluster that {@value TestCluster#KUBECONFIG_VARIABLE} names. */
@Tag("slow")
class TestClusterTest {
  private static final String NAME = "portcullis-cluster-test";

  @TempDir private Path folder;

  @Test
  void testCreatesReadsEditsAndDeletesALease() {
    try (TestCluster cluster = TestCluster.start(folder)) {
      LeaseClient leases = cluster.leases();
      leases.delete(NAME);
      assertThat(leases.read(NAME)).isEmpty();

      ObjectNode created = leases.create(NAME, Json.object().put("holderIdentity", "me"));
      ObjectNode edited =
          leases.edit(
              NAME,
              lease -> ((ObjectNode) lease.get("metadata")).putObject("annotations").put("a", "1"));

      assertThat(created.path("metadata").path("namespace").asText())
          .isEqualTo(cluster.namespace());
      assertThat(edited.path("metadata").path("annotations").path("a").asText()).isEqualTo("1");
      assertThat(leases.read(NAME)).contains(edited);
      assertThatThrownBy(() -> leases.replace(NAME, created))
          .isInstanceOfSatisfying(
              KubernetesClientException.class, e -> assertThat(e.getCode()).isEqualTo(409));
      assertThat(leases.delete(NAME)).isTrue();
      assertThat(leases.delete(NAME)).isFalse();
    }
  }

  @Test
  void updateOfADeletedLeaseWithUidConflicts() {
    try (TestCluster cluster = TestCluster.start(folder)) {
      LeaseClient leases = cluster.leases();
      leases.delete(NAME);
      ObjectNode old = leases.create(NAME, Json.object().put("holderIdentity", "me"));
      leases.delete(NAME);

      assertThatThrownBy(() -> leases.replace(NAME, old))
          .isInstanceOfSatisfying(
              KubernetesClientException.class, e -> assertThat(e.getCode()).isEqualTo(409));
      ((ObjectNode) old.get("metadata")).remove("uid");
      leases.replace(NAME, old);

      assertThat(leases.read(NAME)).isPresent();
      leases.delete(NAME);
    }
  }

  @Test
  void fabric8WatchesWithTheKubeconfig() {
    try (TestCluster cluster = TestCluster.start(folder);
        KubernetesClient client = client(Config.fromKubeconfig(cluster.kubeconfig().toFile()))) {
      cluster.leases().delete(NAME);
      RecordingWatcher followed = new RecordingWatcher();

      try (Watch watch =
          client.leases().inNamespace(cluster.namespace()).withName(NAME).watch(followed)) {
        cluster.leases().create(NAME, Json.object().put("holderIdentity", "me"));
        Eventually.holds(() -> followed.seen.contains("ADDED me"));
        cluster
            .leases()
            .edit(NAME, lease -> ((ObjectNode) lease.get("spec")).put("holderIdentity", "you"));
        Eventually.holds(() -> followed.seen.contains("MODIFIED you"));
        cluster.leases().delete(NAME);
        Eventually.holds(() -> followed.seen.contains("DELETED you"));
        assertThat(watch).isNotNull();
      }
    }
  }

  @Test
  void fabric8WritesPodsAndEvents() {
    try (ApiServer server = ApiServer.start();
        KubernetesClient client = server.client()) {
      Pod pod = new PodBuilder().withNewMetadata().withName("p").endMetadata().build();
      client.pods().resource(pod).create();
      Event event =
          new EventBuilder()
              .withNewMetadata()
              .withGenerateName("e-")
              .endMetadata()
              .withReason("LeaderElection")
              .build();

      client
          .pods()
          .withName("p")
          .edit(it -> it.edit().editMetadata().addToLabels("role", "leader").endMetadata().build());
      client.v1().events().resource(event).create();

      assertThat(client.pods().withLabel("role", "leader").list().getItems()).hasSize(1);
      assertThat(client.v1().events().list().getItems())
          .singleElement()
          .satisfies(it -> assertThat(it.getReason()).isEqualTo("LeaderElection"));
    }
  }

  @Test
  void otherContextOfTheKubeconfigPointsNowhere() {
    try (ApiServer server = ApiServer.start()) {
      Path kubeconfig = server.kubeconfigOfTwo(folder, ClientConfigFiles.WRONG);

      Config wrong = Config.fromKubeconfig(kubeconfig.toFile());
      Config right = Config.fromKubeconfig(ClientConfigFiles.RIGHT, kubeconfig.toFile());

      assertThat(wrong.getNamespace()).isNotEqualTo(ApiServer.NAMESPACE);
      assertThat(right.getNamespace()).isEqualTo(ApiServer.NAMESPACE);
      assertThat(right.getAutoOAuthToken()).isEqualTo(ApiServer.TOKEN);
      try (KubernetesClient client = client(right)) {
        assertThat(client.raw("/livez")).isEqualTo("ok");
      }
      try (KubernetesClient client = client(wrong)) {
        assertThatThrownBy(() -> client.raw("/livez"))
            .isInstanceOf(KubernetesClientException.class);
      }
    }
  }

  @Test
  void tlsFilesContainTheCertificate() throws Exception {
    SelfSignedCertificate certificate = SelfSignedCertificate.create(folder, "ip:127.0.0.1");
    Path account = Files.createDirectory(folder.resolve("account"));
    try (ApiServer server = ApiServer.start(certificate);
        LeaseClient leases = server.leases()) {
      leases.create(NAME, Json.object().put("holderIdentity", "me"));
      server.serviceAccount(account);
      Config inPod =
          new ConfigBuilder(Config.empty())
              .withMasterUrl(server.url())
              .withCaCertFile(account.resolve("ca.crt").toString())
              .withOauthToken(Files.readString(account.resolve("token")))
              .withNamespace(Files.readString(account.resolve("namespace")))
              .build();

      assertThat(holder(inPod)).isEqualTo("me");
      assertThat(holder(Config.fromKubeconfig(server.kubeconfig(folder).toFile()))).isEqualTo("me");

      server.faults().requireToken("renewed");
      server.serviceAccount(account, "renewed");

      assertThat(Files.readString(account.resolve("token"))).isEqualTo("renewed");
      assertThatThrownBy(() -> holder(inPod)).hasMessageContaining("Unauthorized");
    }
  }

  @Test
  void closedServerLeavesNoThreadBehind() {
    ApiServer server = ApiServer.start();
    server.faults().set(Fault.hang(), RequestFilter.all().by(ApiServer.TOKEN));
    try (KubernetesClient client =
        client(Config.fromKubeconfig(server.kubeconfig(folder).toFile()))) {
      Thread hung = new Thread(() -> assertThatThrownBy(() -> client.raw("/livez")));
      hung.start();
      Eventually.holds(() -> server.requests().size() == 1);

      server.close();

      Eventually.holds(() -> server.connections() == 0 && !hung.isAlive());
    }
  }

  private static String holder(Config config) {
    try (KubernetesClient client = client(config)) {
      return client
          .leases()
          .inNamespace(config.getNamespace())
          .withName(NAME)
          .get()
          .getSpec()
          .getHolderIdentity();
    }
  }

  private static KubernetesClient client(Config config) {
    return new KubernetesClientBuilder()
        .withConfig(new ConfigBuilder(config).withRequestRetryBackoffLimit(0).build())
        .withHttpClientFactory(new JdkHttpClientFactory())
        .build();
  }

  /** The events that a watch has received. */
  private static final class RecordingWatcher implements Watcher<Lease> {
    final Set<String> seen = ConcurrentHashMap.newKeySet();

    @Override
    public void eventReceived(Action action, Lease lease) {
      seen.add(action + " " + lease.getSpec().getHolderIdentity());
    }

    @Override
    public void onClose(WatcherException cause) {
      seen.add("CLOSED " + cause.getMessage());
    }
  }
}

package io.portcullis.it.store;

import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.JvmLauncher;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import io.portcullis.servers.SelfSignedCertificate;
import io.portcullis.servers.kubernetes.ApiServer;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Tests services that use what a pod knows of its cluster: the service account's folder and the pod
 * name.
 */
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class KubernetesPodIT {
  private static final Duration LEASE = Duration.ofSeconds(12);
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  private ApiServer server;
  private Path account;

  @BeforeEach
  void startServer() throws IOException, GeneralSecurityException, InterruptedException {
    server =
        stage.opened(
            ApiServer.start(
                SelfSignedCertificate.create(stage.folder("certificate"), "ip:127.0.0.1")));
    account = server.serviceAccount(stage.folder("account"));
  }

  private ServiceJvm start(String id, Path journal) throws IOException {
    Pod pod =
        new PodBuilder()
            .withNewMetadata()
            .withName(id)
            .withNamespace(ApiServer.NAMESPACE)
            .endMetadata()
            .build();
    server.client().resource(pod).create();
    AgentConf conf =
        AgentConf.kubernetes(
                LEASE,
                "api-server = \"" + server.url() + "\"",
                "service-account = \"" + account + "\"",
                "label-pod = true")
            .rule(AgentConf.APPEND);
    return stage.start(id, JvmLauncher.demoService(id, journal).conf(conf).env("POD_NAME", id));
  }

  private void awaitLabel(String id, String role) {
    await(id + " is labelled " + role)
        .atMost(TIMEOUT)
        .until(
            () ->
                role.equals(
                    server
                        .client()
                        .pods()
                        .inNamespace(ApiServer.NAMESPACE)
                        .withName(id)
                        .get()
                        .getMetadata()
                        .getLabels()
                        .get("portcullis.io/role")));
  }

  @Test
  void podLabelsFollowTheLeader() throws IOException, InterruptedException {
    Path journal = stage.folder("journal").resolve("journal.log");
    ServiceJvm a = start("a", journal);
    a.awaitRole("LEADER");
    ServiceJvm b = start("b", journal);
    b.awaitRole("STANDBY");
    awaitLabel("a", "leader");
    awaitLabel("b", "standby");

    server.serviceAccount(account, "another-token");
    server.faults().requireToken("another-token");
    a.terminate();
    a.awaitExit();
    b.awaitRole("LEADER");

    awaitLabel("b", "leader");
    awaitLabel("a", "standby");
  }
}

package io.portcullis.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.portcullis.election.LeaderElection;
import io.portcullis.election.contract.SplitBrainDetector;
import io.portcullis.election.log.LogCapture;
import io.portcullis.servers.kubernetes.ApiServer;
import io.portcullis.servers.kubernetes.Fault;
import io.portcullis.servers.kubernetes.RequestFilter;
import io.portcullis.servers.kubernetes.RequestLogEntry;
import io.portcullis.servers.kubernetes.Verb;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The role of a node as a label of its pod. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class PodLabelTest {
  private static final String PODS = "/api/v1/namespaces/" + ApiServer.NAMESPACE + "/pods";

  @TempDir private Path folder;
  private final ApiServer server = ApiServer.start();
  private final KubernetesClient kubectl = server.client();
  private final String pod = "orders-" + UUID.randomUUID();
  private final LogCapture log = LogCapture.holding(pod);
  private final SplitBrainDetector watch = new SplitBrainDetector();
  private ApiServerLeaseFixture outpost;

  @BeforeEach
  void open() {
    createPod(pod);
    outpost =
        ApiServerLeaseFixture.at(server, Kubeconfig.read(server.kubeconfig(folder), null))
            .labelling(pod);
  }

  @AfterEach
  void close() {
    watch.close();
    log.close();
    kubectl.close();
    server.close();
  }

  private void createPod(String name) {
    kubectl.raw(
        PODS,
        "POST",
        """
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s", "namespace": "%s",
         "labels": {"app": "orders"}}, "spec": {"containers": [{"name": "a", "image": "a"}]}}"""
            .formatted(name, ApiServer.NAMESPACE));
  }

  private String labels(String name) {
    try {
      return LeaseApi.JSON
          .readTree(kubectl.raw(PODS + "/" + name, "GET", null))
          .at("/metadata/labels")
          .toString();
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }

  private void awaitRole(String name, String role) {
    await()
        .atMost(ApiServerLeaseFixture.MAX_WAIT)
        .until(
            () -> labels(name),
            labels ->
                labels.contains("\"portcullis.io/role\":\"" + role + "\"")
                    && labels.contains("\"app\":\"orders\""));
  }

  private LeaderElection leader() throws InterruptedException {
    LeaderElection node = outpost.node(watch, "first");
    assertThat(node.awaitLeadership(ApiServerLeaseFixture.MAX_WAIT)).isTrue();
    return node;
  }

  @Test
  void labelRequestWithAnEndlessResponseIsRepeated() throws InterruptedException {
    server.faults().setOnce(Fault.dripReply(), RequestFilter.to(Verb.PATCH));

    leader();

    awaitRole(pod, "leader");
  }

  @Test
  void labelFollowsTheRoleFromTheStart() throws InterruptedException {
    LeaderElection first = leader();
    awaitRole(pod, "leader");
    String other = pod + "-b";
    createPod(other);
    outpost.labelling(other).node(watch, "second");
    awaitRole(other, "standby");

    first.stepDown();

    awaitRole(pod, "standby");
    awaitRole(other, "leader");
  }

  @Test
  void nodeCutOffFromItsLeaseIsNoLongerLabelledLeader() throws InterruptedException {
    outpost = outpost.with(ApiServerLeaseFixture.BRISK);
    LeaderElection node = leader();
    awaitRole(pod, "leader");

    server.faults().set(Fault.status(500), Verb.UPDATE, Verb.GET);

    await().atMost(ApiServerLeaseFixture.MAX_WAIT).until(() -> !node.isLeader());
    awaitRole(pod, "standby");
  }

  @Test
  void failedLabelIsRepeatedAndReportedOnce() throws InterruptedException {
    server.faults().set(Fault.status(500), Verb.PATCH);
    LeaderElection node = leader();
    RequestFilter patches = RequestFilter.to(Verb.PATCH);
    await().atMost(ApiServerLeaseFixture.MAX_WAIT).until(() -> server.requests(patches).size() > 2);
    assertThat(labels(pod)).doesNotContain("role");

    server.faults().heal();

    awaitRole(pod, "leader");
    assertThat(node.isLeader()).isTrue();
    assertThat(log.list())
        .singleElement()
        .asString()
        .startsWith("WARN portcullis pod=" + ApiServer.NAMESPACE + "/" + pod + " can't be labelled")
        .contains("500: an error on the server");
  }

  @Test
  void missingRightOrPodIsReported() throws InterruptedException {
    server.faults().set(Fault.forbidden(), Verb.PATCH);
    try (LogCapture ofNobody = LogCapture.holding(pod + "-gone")) {
      leader();
      outpost.labelling(pod + "-gone").node(watch, "second");

      await().atMost(ApiServerLeaseFixture.MAX_WAIT).until(() -> !log.list().isEmpty());
      assertThat(log.list().get(0)).contains("may not patch pods", "resources [pods]");
      server.faults().heal();
      awaitRole(pod, "leader");
      outpost.labelling(pod + "-gone").node(watch, "third");
      await()
          .atMost(ApiServerLeaseFixture.MAX_WAIT)
          .until(() -> ofNobody.list().stream().anyMatch(line -> line.contains("not found")));
    }
  }

  @Test
  void hangingLabelRequestNeverDelaysTheElection() throws InterruptedException {
    outpost = outpost.with(ApiServerLeaseFixture.BRISK);
    server.faults().set(Fault.hang(), Verb.PATCH);
    LeaderElection node = leader();
    long epoch = node.epoch();
    RequestFilter renewals = RequestFilter.to(Verb.UPDATE).about(outpost.name());
    int before = server.requests(renewals).size();

    await()
        .atMost(ApiServerLeaseFixture.MAX_WAIT)
        .until(() -> server.requests(renewals).size() > before + 20);

    assertThat(node.isLeader()).isTrue();
    assertThat(node.epoch()).isEqualTo(epoch);
    assertThat(server.requests(RequestFilter.to(Verb.PATCH))).isNotEmpty();
  }

  @Test
  void onlyTheOwnLabelIsPatched() throws InterruptedException {
    leader();
    awaitRole(pod, "leader");

    assertThat(server.requests(RequestFilter.to(Verb.PATCH)))
        .allSatisfy(asked -> assertThat(asked.object()).isEqualTo(pod))
        .extracting(RequestLogEntry::body)
        .containsExactly(
            "{\"metadata\":{\"labels\":{\"portcullis.io/role\":\"standby\"}}}",
            "{\"metadata\":{\"labels\":{\"portcullis.io/role\":\"leader\"}}}");
  }

  @Test
  void noPodIsPatchedUnlessConfigured() throws InterruptedException {
    outpost = ApiServerLeaseFixture.at(server, outpost.access());

    leader().stepDown();

    assertThat(server.requests(RequestFilter.to(Verb.PATCH))).isEmpty();
    assertThat(server.requests(RequestFilter.to(Verb.REVIEW)))
        .noneMatch(asked -> asked.body().contains("pods"));
  }
}

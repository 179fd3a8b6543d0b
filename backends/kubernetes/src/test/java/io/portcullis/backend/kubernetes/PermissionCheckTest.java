package io.portcullis.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.election.LeaderElection;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.contract.Claimant;
import io.portcullis.election.contract.RequiredFeature;
import io.portcullis.election.contract.SplitBrainDetector;
import io.portcullis.election.log.LogCapture;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseStore;
import io.portcullis.election.store.StoreFeatures.StoreDiagnostics;
import io.portcullis.servers.kubernetes.ApiServer;
import io.portcullis.servers.kubernetes.Fault;
import io.portcullis.servers.kubernetes.RequestFilter;
import io.portcullis.servers.kubernetes.RequestLogEntry;
import io.portcullis.servers.kubernetes.Verb;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Missing rights are reported before they are needed. */
@Execution(ExecutionMode.CONCURRENT)
class PermissionCheckTest {
  private static final Duration RETRY_INTERVAL = Duration.ofMillis(50);
  private static final String RULE =
      "; add to its Role: apiGroups [\"coordination.k8s.io\"], resources [leases], verbs [get,"
          + " create, update, watch]";

  @TempDir private Path folder;
  private final ApiServer server = ApiServer.start();
  private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
  private final String node = "node-" + UUID.randomUUID();
  private final LogCapture log = LogCapture.holding(node);
  private ApiServerLeaseFixture outpost;
  private ApiClient client;

  @BeforeEach
  void open() {
    outpost = ApiServerLeaseFixture.at(server, Kubeconfig.read(server.kubeconfig(folder), null));
    KubernetesCredentials credentials =
        new KubernetesCredentials(outpost.access(), "test-http", Duration.ofSeconds(5));
    client = new ApiClient(server.url(), credentials);
  }

  @AfterEach
  void close() {
    thread.shutdownNow();
    client.close();
    log.close();
    server.close();
  }

  private ElectionConfig config() {
    return new ElectionConfig("test", "writer", node, null, outpost.timing());
  }

  private PermissionCheck check(@Nullable String pod) {
    PermissionCheck rights =
        new PermissionCheck(client, outpost.lease(), pod, thread, config(), RETRY_INTERVAL);
    thread.execute(rights::check);
    return rights;
  }

  private void awaitRounds(int rounds, int needs) {
    int before = server.requests(RequestFilter.to(Verb.REVIEW)).size();
    await()
        .atMost(ApiServerLeaseFixture.MAX_WAIT)
        .until(
            () -> server.requests(RequestFilter.to(Verb.REVIEW)).size() >= before + rounds * needs);
  }

  @ParameterizedTest
  @EnumSource(names = {"GET", "CREATE", "UPDATE", "WATCH"})
  void missingVerbIsReportedWithItsRuleUntilGranted(Verb verb) {
    server.faults().set(Fault.forbidden(), verb);
    String sentence =
        "this node may not "
            + verb.name().toLowerCase(Locale.ROOT)
            + " leases in namespace "
            + ApiServer.NAMESPACE
            + RULE;

    PermissionCheck rights = check(null);
    await().atMost(ApiServerLeaseFixture.MAX_WAIT).until(() -> rights.missing() != null);
    assertThat(rights.missing()).isEqualTo(sentence);
    awaitRounds(2, 4);
    assertThat(log.list())
        .containsExactly("WARN portcullis election=writer node=" + node + " " + sentence);

    server.faults().heal();
    await().atMost(ApiServerLeaseFixture.MAX_WAIT).until(() -> rights.missing() == null);
    await().atMost(ApiServerLeaseFixture.MAX_WAIT).until(() -> log.list().size() == 2);
    assertThat(log.list().get(1)).startsWith("INFO ").endsWith(" has all rights it needs now");
  }

  @Test
  void allMissingRightsAreReported() {
    server.faults().set(Fault.forbidden(), Verb.UPDATE, Verb.PATCH);

    PermissionCheck rights = check("orders-0");

    await().atMost(ApiServerLeaseFixture.MAX_WAIT).until(() -> rights.missing() != null);
    assertThat(rights.missing())
        .contains("may not update leases", "; this node may not patch pods in namespace")
        .endsWith("apiGroups [\"\"], resources [pods], verbs [patch]");
  }

  @Test
  void rightsOnTheOwnPodAndLeaseSuffice() {
    server.faults().set(Fault.forbidden(), RequestFilter.to(Verb.PATCH).about("another-pod"));
    server.faults().set(Fault.forbidden(), RequestFilter.to(Verb.UPDATE).about("another-lease"));

    PermissionCheck rights = check("orders-0");
    awaitAsked(5);

    assertThat(server.requests(RequestFilter.to(Verb.REVIEW)))
        .extracting(RequestLogEntry::body)
        .anyMatch(body -> body.contains("\"patch\"") && body.contains("\"name\":\"orders-0\""))
        .anyMatch(body -> body.contains("\"update\"") && body.contains(outpost.name()))
        .noneMatch(body -> body.contains("\"create\"") && body.contains("\"name\""));
    assertThat(rights.missing()).isNull();
    assertThat(log.list()).isEmpty();
  }

  private void awaitAsked(int reviews) {
    await()
        .atMost(ApiServerLeaseFixture.MAX_WAIT)
        .until(() -> server.requests(RequestFilter.to(Verb.REVIEW)).size() >= reviews);
  }

  @Test
  void deniedPermissionCheckReportsNothing() {
    server.faults().set(Fault.status(404), Verb.REVIEW);
    server.faults().set(Fault.forbidden(), Verb.UPDATE);

    PermissionCheck rights = check(null);
    awaitAsked(4);

    assertThat(rights.missing()).isNull();
    assertThat(log.list()).isEmpty();
  }

  @Test
  void unansweredPermissionCheckIsRepeated() {
    server.faults().set(Fault.status(503), Verb.REVIEW);
    server.faults().set(Fault.forbidden(), Verb.UPDATE);
    PermissionCheck rights = check(null);
    awaitRounds(2, 4);
    assertThat(rights.missing()).isNull();

    server.faults().heal();
    server.faults().set(Fault.forbidden(), Verb.UPDATE);

    await().atMost(ApiServerLeaseFixture.MAX_WAIT).until(() -> rights.missing() != null);
  }

  @Test
  void unansweredCheckDoesNotClearAMissingRight() {
    server.faults().set(Fault.forbidden(), Verb.UPDATE);
    PermissionCheck rights = check(null);
    await().atMost(ApiServerLeaseFixture.MAX_WAIT).until(() -> rights.missing() != null);

    server.faults().set(Fault.status(500), Verb.REVIEW);
    awaitRounds(3, 4);

    assertThat(rights.missing()).contains("may not update leases");
    assertThat(log.list()).hasSize(1);
  }

  @Test
  void storeReportsTheMissingRight() {
    server.faults().set(Fault.forbidden(), Verb.WATCH);
    try (LeaseStore store = outpost.open(config())) {
      StoreDiagnostics diagnostics = RequiredFeature.of(store, StoreDiagnostics.class);
      await()
          .atMost(ApiServerLeaseFixture.MAX_WAIT)
          .until(() -> diagnostics.degradedReason() != null);

      assertThat(diagnostics.degradedReason()).contains("may not watch leases");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"GET", "CREATE"})
  void refusedRequestReportsTheMissingRule(Verb verb) {
    server.faults().set(Fault.forbidden(), verb);
    try (Claimant a = outpost.claimant("a")) {
      LeaseResponse answer =
          verb == Verb.GET ? a.ask(new LeaseRequest.Look()) : a.acquire(a.claim());

      assertThat(((LeaseResponse.Unknown) answer).why())
          .startsWith("may not ")
          .contains(RULE, "the server says: ", "is forbidden");
    }
  }

  @Test
  void leaderThatLosesItsRightReportsItAndShutsInTime() throws InterruptedException {
    try (SplitBrainDetector watch = new SplitBrainDetector()) {
      LeaderElection leader = outpost.with(ApiServerLeaseFixture.BRISK).node(watch, "only");
      assertThat(leader.awaitLeadership(ApiServerLeaseFixture.MAX_WAIT)).isTrue();

      server.faults().set(Fault.forbidden(), Verb.UPDATE);

      await().atMost(ApiServerLeaseFixture.MAX_WAIT).until(() -> !leader.isLeader());
      assertThat(leader.status().toString()).contains("may not update leases", RULE);
      server.faults().heal();
      assertThat(leader.awaitLeadership(ApiServerLeaseFixture.MAX_WAIT)).isTrue();
    }
  }

  @Test
  void forbiddenWatchCostsNoTenure() throws InterruptedException {
    server.faults().set(Fault.forbidden(), Verb.WATCH);
    try (SplitBrainDetector watch = new SplitBrainDetector()) {
      LeaderElection first = outpost.node(watch, "first");
      assertThat(first.awaitLeadership(ApiServerLeaseFixture.MAX_WAIT)).isTrue();
      LeaderElection second = outpost.node(watch, "second");
      await().atMost(ApiServerLeaseFixture.MAX_WAIT).until(() -> second.leader().isPresent());

      first.stepDown();

      assertThat(second.awaitLeadership(ApiServerLeaseFixture.MAX_WAIT)).isTrue();
      assertThat(List.of(first.isLeader(), second.isLeader())).containsExactly(false, true);
    }
  }
}

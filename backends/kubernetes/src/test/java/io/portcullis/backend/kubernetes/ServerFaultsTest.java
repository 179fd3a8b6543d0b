package io.portcullis.backend.kubernetes;

import static io.portcullis.backend.kubernetes.FaultySite.LONG;
import static io.portcullis.backend.kubernetes.FaultySite.awaitShut;
import static io.portcullis.backend.kubernetes.FaultySite.since;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.election.LeaderElection;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.contract.GateWatch;
import io.portcullis.election.contract.Pair;
import io.portcullis.servers.kubernetes.ApiServer;
import io.portcullis.servers.kubernetes.Fault;
import io.portcullis.servers.kubernetes.Requests;
import io.portcullis.servers.kubernetes.Verb;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole elections while the API server hangs, refuses or asks for patience. */
@Execution(ExecutionMode.CONCURRENT)
class ServerFaultsTest {

  /** The renew deadline of 2 s, and the looking takes a moment; the lease lasts for 3 s. */
  private static final Duration DEADLINE = Duration.ofMillis(2400);

  @RegisterExtension final FaultySite site = new FaultySite();

  private static void awaitLeader(Pair pair) {
    pair.awaitLeaderAbove(0);
  }

  @Test
  void aServerThatHangsShutsEveryGateByTheRenewDeadlineUntilItAnswersAgain() throws Exception {
    try (Pair pair = site.pair()) {
      site.faults().set(Fault.hang(), Requests.all());

      awaitShut(pair.first(), DEADLINE);
      pair.watchFor(site.timing().lease());
      assertThat(pair.first().isLeader() || pair.second().isLeader()).isFalse();
      site.faults().heal();

      awaitLeader(pair);
    }
  }

  @Test
  void aServerThatHangsForTheLeaderAloneLeadsToAnotherLeader() throws Exception {
    try (Pair pair = site.pair()) {
      long epoch = pair.epoch();
      site.set(Fault.hang(), "first");

      pair.awaitLeaderAbove(epoch);
      assertThat(pair.second().isLeader()).isTrue();
      site.faults().heal();
      pair.watchFor(site.timing().renewDeadline());

      assertThat(pair.second().isLeader()).isTrue();
    }
  }

  @Test
  void aServerThatHangsForAStandbyDisturbsNobodyAndTheStandbyLeadsAfterwards() throws Exception {
    try (Pair pair = site.pair()) {
      long epoch = pair.epoch();
      site.isolate("second");

      pair.watchFor(site.timing().lease());
      assertThat(pair.first().epoch()).isEqualTo(epoch);
      assertThat(pair.first().isLeader()).isTrue();
      site.faults().heal();
      pair.first().close();

      pair.awaitLeaderAbove(epoch);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {409, 410, 429, 500, 503, 504})
  void errorsForLessThanTheRenewDeadlineCostNoTenure(int code) throws Exception {
    try (Pair pair = site.pair()) {
      long epoch = pair.epoch();
      site.faults().set(Fault.status(code), Requests.all());

      // Long enough for a renewal to fail, and short enough for a busy machine to make up for it.
      pair.watchFor(site.timing().renewDeadline().dividedBy(4));
      site.faults().heal();
      pair.watchFor(site.timing().renewDeadline());

      assertThat(pair.first().isLeader()).isTrue();
      assertThat(pair.first().epoch()).isEqualTo(epoch);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {404, 409, 410, 429, 500, 503})
  void errorsForLongerShutEveryGateUntilTheyEnd(int code) throws Exception {
    try (Pair pair = site.pair()) {
      site.faults().set(Fault.status(code), Verb.GET, Verb.UPDATE, Verb.CREATE);

      awaitShut(pair.first(), DEADLINE);
      pair.watchFor(site.timing().lease());
      assertThat(pair.first().isLeader() || pair.second().isLeader()).isFalse();
      site.faults().heal();

      awaitLeader(pair);
    }
  }

  @Test
  void conflictsForTheLeaderAloneLeadToAnotherLeader() throws Exception {
    try (Pair pair = site.pair()) {
      long epoch = pair.epoch();
      site.set(Fault.status(409), "first", Verb.UPDATE);

      pair.awaitLeaderAbove(epoch);

      assertThat(pair.second().isLeader()).isTrue();
    }
  }

  @Test
  void whoIsAskedToComeLaterNeitherSleepsNorHurries() throws Exception {
    try (Pair pair = site.pair()) {
      long epoch = pair.epoch();
      int before = site.asked("first", Verb.UPDATE);
      Fault fault = Fault.tooManyRequests(Duration.ofSeconds(30));
      site.faults().set(fault, Requests.to(Verb.UPDATE));

      pair.watchFor(Duration.ofSeconds(1));
      int during = site.asked("first", Verb.UPDATE) - before;
      site.faults().heal();
      pair.watchFor(site.timing().renewDeadline());

      assertThat(during).isBetween(1, 4);
      assertThat(pair.first().isLeader()).isTrue();
      assertThat(pair.first().epoch()).isEqualTo(epoch);
    }
  }

  @Test
  void cutConnectionsCostNoTenure() throws Exception {
    try (Pair pair = site.pair()) {
      long epoch = pair.epoch();

      for (int i = 0; i < 5; i++) {
        site.server().cut();
        pair.watchFor(Duration.ofMillis(200));
      }

      assertThat(pair.first().isLeader()).isTrue();
      assertThat(pair.first().epoch()).isEqualTo(epoch);
    }
  }

  @Test
  void readsThatHangDoNotKeepTheLeaderFromRenewing() throws Exception {
    try (Pair pair = site.pair()) {
      long epoch = pair.epoch();
      site.set(Fault.hang(), "first", Verb.GET);

      for (int i = 0; i < 6; i++) {
        site.faults().closeWatches(); // Before each beginning of a watch the Lease is read.
        long closed = System.nanoTime();
        await()
            .pollInterval(Duration.ofMillis(5))
            .failFast("it was shut", () -> !pair.first().isLeader())
            .until(() -> since(closed).compareTo(Duration.ofMillis(700)) > 0);
      }

      assertThat(pair.first().epoch()).isEqualTo(epoch);
    }
  }

  private LeaderElection inPod(GateWatch watch, Path account) {
    Access access = new Access.InCluster(site.server().url(), account);
    LeaseName name = new LeaseName(ApiServer.NAMESPACE, FaultySite.NAME);
    ElectionConfig config = new ElectionConfig("test", "writer", "pod", null, site.timing());
    KubernetesLease lease = new KubernetesLease(site.timing(), access, name, null);
    LeaderElection node = watch.add(new LeaderElection(config, lease.open(config)));
    node.start();
    return node;
  }

  @Test
  void aTokenThatIsRotatedCostsNoTenure() throws Exception {
    Path account = site.server().serviceAccount(site.folder().resolve("pod"), "old");
    try (GateWatch watch = new GateWatch()) {
      LeaderElection node = inPod(watch, account);
      assertThat(node.awaitLeadership(LONG)).isTrue();
      long epoch = node.epoch();

      site.server().serviceAccount(site.folder().resolve("pod"), "new");
      site.faults().requireToken("new");
      await().pollDelay(site.timing().lease()).atMost(LONG).until(() -> true);

      assertThat(node.isLeader()).isTrue();
      assertThat(node.epoch()).isEqualTo(epoch);
    }
  }

  @Test
  void aTokenThatHasExpiredShutsTheGateUntilThereIsAnother() throws Exception {
    Path account = site.server().serviceAccount(site.folder().resolve("pod"), "old");
    try (GateWatch watch = new GateWatch()) {
      LeaderElection node = inPod(watch, account);
      assertThat(node.awaitLeadership(LONG)).isTrue();

      site.faults().requireToken("new");
      awaitShut(node, DEADLINE);
      await().atMost(LONG).until(() -> node.status().toString().contains("answers 401"));
      site.server().serviceAccount(site.folder().resolve("pod"), "new");

      assertThat(node.awaitLeadership(LONG)).isTrue();
      watch.assertSafe();
    }
  }
}

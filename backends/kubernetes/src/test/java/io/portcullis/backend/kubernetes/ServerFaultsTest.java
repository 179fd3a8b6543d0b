package io.portcullis.backend.kubernetes;

import static io.portcullis.backend.kubernetes.FaultyLeaseFixture.MAX_WAIT;
import static io.portcullis.backend.kubernetes.FaultyLeaseFixture.since;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.backend.kubernetes.KubernetesBackend.LeaseName;
import io.portcullis.election.LeaderElection;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.Timing;
import io.portcullis.election.contract.ContenderPair;
import io.portcullis.election.contract.SplitBrainDetector;
import io.portcullis.servers.kubernetes.ApiServer;
import io.portcullis.servers.kubernetes.Fault;
import io.portcullis.servers.kubernetes.RequestFilter;
import io.portcullis.servers.kubernetes.Verb;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole elections while the API server hangs, fails or throttles. */
@Execution(ExecutionMode.CONCURRENT)
class ServerFaultsTest {

  @RegisterExtension final FaultyLeaseFixture site = new FaultyLeaseFixture();

  private static void awaitLeader(ContenderPair pair) {
    pair.awaitLeaderAbove(0);
  }

  @Test
  void hungServerShutsEveryGateByTheRenewDeadline() throws Exception {
    try (ContenderPair pair = site.pair()) {
      site.faults().set(Fault.hang(), RequestFilter.all());

      site.awaitShutByDeadline(pair.first());
      pair.watchFor(site.timing().lease());
      assertThat(pair.first().isLeader() || pair.second().isLeader()).isFalse();
      site.faults().heal();

      awaitLeader(pair);
    }
  }

  @Test
  void serverThatHangsForTheLeaderAloneChangesTheLeader() throws Exception {
    try (ContenderPair pair = site.pairWithSteadySecond()) {
      long epoch = pair.epoch();
      site.set(Fault.hang(), "first");

      pair.awaitLeads(pair.second(), epoch);
      site.faults().heal();
      pair.watchFor(site.timing().renewDeadline());

      assertThat(pair.second().isLeader()).isTrue();
    }
  }

  @Test
  void standbyWithHungServerLeadsAfterwards() throws Exception {
    try (ContenderPair pair = site.steadyPair()) {
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
    try (ContenderPair pair = site.steadyPair()) {
      long epoch = pair.epoch();
      int before = site.asked("first", Verb.UPDATE);
      site.faults().set(Fault.status(code), RequestFilter.all());

      await().atMost(MAX_WAIT).until(() -> site.asked("first", Verb.UPDATE) > before + 1);
      site.faults().heal();
      pair.awaitRenewals(3);

      assertThat(pair.first().isLeader()).isTrue();
      assertThat(pair.first().epoch()).isEqualTo(epoch);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {404, 409, 410, 429, 500, 503})
  void errorsForLongerShutEveryGateUntilTheyEnd(int code) throws Exception {
    try (ContenderPair pair = site.pair()) {
      site.faults().set(Fault.status(code), Verb.GET, Verb.UPDATE, Verb.CREATE);

      site.awaitShutByDeadline(pair.first());
      pair.watchFor(site.timing().lease());
      assertThat(pair.first().isLeader() || pair.second().isLeader()).isFalse();
      site.faults().heal();

      awaitLeader(pair);
    }
  }

  @Test
  void conflictsForTheLeaderAloneChangeTheLeader() throws Exception {
    try (ContenderPair pair = site.pair()) {
      long epoch = pair.epoch();
      site.set(Fault.status(409), "first", Verb.UPDATE);

      pair.awaitLeads(pair.second(), epoch);
    }
  }

  @Test
  void retryAfterIsRespectedWithinTheRetryInterval() throws Exception {
    try (ContenderPair pair = site.steadyPair()) {
      long epoch = pair.epoch();
      Fault fault = Fault.tooManyRequests(MAX_WAIT.multipliedBy(10));
      site.faults().set(fault, RequestFilter.to(Verb.UPDATE));
      int before = site.asked("first", Verb.UPDATE);
      long began = System.nanoTime();

      await().atMost(MAX_WAIT).until(() -> site.asked("first", Verb.UPDATE) >= before + 3);
      int during = site.asked("first", Verb.UPDATE) - before;
      long retries = since(began).toMillis() / site.timing().renew().toMillis();
      site.faults().heal();
      pair.awaitRenewals(3);

      assertThat((long) during).isLessThanOrEqualTo(retries + 2);
      assertThat(pair.first().isLeader()).isTrue();
      assertThat(pair.first().epoch()).isEqualTo(epoch);
    }
  }

  @Test
  void cutConnectionsCostNoTenure() throws Exception {
    try (ContenderPair pair = site.steadyPair()) {
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
  void hangingReadsDoNotStopRenewals() throws Exception {
    try (ContenderPair pair = site.steadyPair()) {
      long epoch = pair.epoch();
      site.set(Fault.hang(), "first", Verb.GET);

      for (int i = 0; i < 6; i++) {
        site.faults().closeWatches(); // The Lease is read before each start of a watch.
        pair.awaitRenewals(2);
      }
      assertThat(pair.first().isLeader()).isTrue();

      assertThat(pair.first().epoch()).isEqualTo(epoch);
    }
  }

  private LeaderElection inPod(SplitBrainDetector watch, Path account, Timing timing) {
    KubernetesAccess access = new KubernetesAccess.InCluster(site.server().url(), account);
    LeaseName name = new LeaseName(ApiServer.NAMESPACE, FaultyLeaseFixture.NAME);
    ElectionConfig config = new ElectionConfig("test", "writer", "pod", null, timing);
    KubernetesLease lease = new KubernetesLease(timing, access, name, null);
    LeaderElection node = watch.add(new LeaderElection(config, lease.open(config)));
    node.start();
    return node;
  }

  @Test
  void rotatedTokenCostsNoTenure() throws Exception {
    Path account = site.server().serviceAccount(site.folder().resolve("pod"), "old");
    try (SplitBrainDetector watch = new SplitBrainDetector()) {
      LeaderElection node = inPod(watch, account, site.steadyTiming());
      assertThat(node.awaitLeadership(MAX_WAIT)).isTrue();
      long epoch = node.epoch();

      site.server().serviceAccount(site.folder().resolve("pod"), "new");
      site.faults().requireToken("new");
      await().atMost(MAX_WAIT).until(() -> site.asked("new", Verb.UPDATE) > 2);

      assertThat(node.isLeader()).isTrue();
      assertThat(node.epoch()).isEqualTo(epoch);
    }
  }

  @Test
  void expiredTokenShutsTheGateUntilItIsReplaced() throws Exception {
    Path account = site.server().serviceAccount(site.folder().resolve("pod"), "old");
    try (SplitBrainDetector watch = new SplitBrainDetector()) {
      LeaderElection node = inPod(watch, account, site.timing());
      assertThat(node.awaitLeadership(MAX_WAIT)).isTrue();

      site.faults().requireToken("new");
      site.awaitShutByDeadline(node);
      await().atMost(MAX_WAIT).until(() -> node.status().toString().contains("responds with 401"));
      site.server().serviceAccount(site.folder().resolve("pod"), "new");

      assertThat(node.awaitLeadership(MAX_WAIT)).isTrue();
      watch.assertSafe();
    }
  }
}

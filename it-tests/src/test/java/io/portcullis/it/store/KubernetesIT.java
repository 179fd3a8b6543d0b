package io.portcullis.it.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.it.support.ClusterUnderLoad;
import io.portcullis.it.support.HandoverScenario;
import io.portcullis.it.support.KubernetesLeaseFixture;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import io.portcullis.servers.kubernetes.Fault;
import io.portcullis.servers.kubernetes.RequestFilter;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Tests services that share a Lease, each with a kubeconfig; on any cluster except where it must
 * fail.
 */
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class KubernetesIT {
  private static final Duration LEASE = Duration.ofSeconds(3);

  /** Longer than any wait of a test, so a handover did not wait for its end. */
  private static final Duration LONG_LEASE = Duration.ofMinutes(5);

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  @Test
  void standbyLeadsWhenTheKilledLeadersLeaseEnds() throws IOException, InterruptedException {
    ClusterUnderLoad trial = new ClusterUnderLoad(stage, LEASE);
    trial.joinAll(KubernetesLeaseFixture.inAnyCluster(stage).ledger(LEASE), "a", "b");
    ServiceJvm leader = trial.awaitLeaderAfter(0);
    long epoch = leader.status().epoch();

    trial.kill(leader);
    ServiceJvm successor = trial.awaitLeaderAfter(epoch);

    assertThat(trial.stopAndCheck().leaders()).containsExactly(leader.name(), successor.name());
  }

  @Test
  void sigtermHandsOverLongBeforeTheLeaseEnds() throws IOException, InterruptedException {
    KubernetesLeaseFixture site = KubernetesLeaseFixture.inAnyCluster(stage);
    HandoverScenario.onSigterm(stage, site.ledger(LONG_LEASE), LONG_LEASE);

    assertThat(site.holder()).startsWith("b-");
  }

  @Test
  void allRefuseWhileTheApiServerHangsThenOneLeads() throws IOException, InterruptedException {
    KubernetesLeaseFixture site = KubernetesLeaseFixture.withFaults(stage);
    ClusterUnderLoad trial = new ClusterUnderLoad(stage, LEASE);
    trial.joinAll(site.ledger(LEASE), "a", "b");
    long epoch = trial.awaitLeaderAfter(0).status().epoch();

    site.server().faults().set(Fault.hang(), RequestFilter.all());
    trial.awaitNoLeader();
    assertThat(trial.nodes()).allSatisfy(node -> assertThat(node.write().refused()).isTrue());
    assertThat(trial.nodes())
        .allSatisfy(node -> assertThat(node.get("/healthz").status()).isEqualTo(200));
    site.server().faults().heal();

    trial.awaitLeader();
    trial.awaitWrites();
    assertThat(trial.awaitLeader().status().epoch()).isGreaterThanOrEqualTo(epoch);
    trial.stopAndCheck();
  }

  @Test
  void deletedLeaseNeverAllowsTwoLeaders() throws IOException, InterruptedException {
    KubernetesLeaseFixture site = KubernetesLeaseFixture.inAnyCluster(stage);
    ClusterUnderLoad trial = new ClusterUnderLoad(stage, LEASE);
    trial.joinAll(site.ledger(LEASE), "a", "b");
    long epoch = trial.awaitLeaderAfter(0).status().epoch();

    assertThat(site.delete()).isTrue();
    trial.awaitNoLeader();
    trial.awaitLeaderAfter(epoch);

    trial.stopAndCheck();
  }
}

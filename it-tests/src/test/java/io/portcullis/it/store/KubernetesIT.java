package io.portcullis.it.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.it.support.HandOver;
import io.portcullis.it.support.LeaseSite;
import io.portcullis.it.support.ScenarioRun;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.StoreEnvironment;
import io.portcullis.servers.kubernetes.Fault;
import io.portcullis.servers.kubernetes.Requests;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Services that share a Lease, with a kubeconfig each; on any cluster but where it must fail. */
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class KubernetesIT {
  private static final Duration LEASE = Duration.ofSeconds(3);

  /** Much longer than a hand-over takes, so that nobody waits it out by chance. */
  private static final Duration LONG_LEASE = Duration.ofMinutes(1);

  @RegisterExtension final StoreEnvironment stage = StoreEnvironment.perTest();

  @Test
  void onceTheLeaderIsKilledTheStandbyLeadsWhenTheLeaseIsOver()
      throws IOException, InterruptedException {
    ScenarioRun trial = new ScenarioRun(stage, LEASE);
    trial.joinAll(LeaseSite.anywhere(stage).ledger(LEASE), "a", "b");
    ServiceJvm leader = trial.awaitLeaderAfter(0);
    long epoch = leader.status().epoch();

    trial.kill(leader);
    ServiceJvm successor = trial.awaitLeaderAfter(epoch);

    assertThat(trial.verdict().leaders()).containsExactly(leader.name(), successor.name());
  }

  @Test
  void onSigtermTheStandbyLeadsLongBeforeTheLeaseCouldRunOut()
      throws IOException, InterruptedException {
    LeaseSite site = LeaseSite.anywhere(stage);
    HandOver.onSigterm(stage, site.ledger(LONG_LEASE), LONG_LEASE);

    assertThat(site.holder()).startsWith("b-");
  }

  @Test
  void whileTheServerHangsAllRefuseAndAfterwardsOneLeads()
      throws IOException, InterruptedException {
    LeaseSite site = LeaseSite.withFaults(stage);
    ScenarioRun trial = new ScenarioRun(stage, LEASE);
    trial.joinAll(site.ledger(LEASE), "a", "b");
    long epoch = trial.awaitLeaderAfter(0).status().epoch();

    site.server().faults().set(Fault.hang(), Requests.all());
    trial.awaitNobodyLeads();
    assertThat(trial.nodes()).allSatisfy(node -> assertThat(node.write().refused()).isTrue());
    assertThat(trial.nodes())
        .allSatisfy(node -> assertThat(node.get("/healthz").status()).isEqualTo(200));
    site.server().faults().heal();

    trial.awaitLeader();
    trial.awaitWrites();
    assertThat(trial.awaitLeader().status().epoch()).isGreaterThanOrEqualTo(epoch);
    trial.verdict();
  }

  @Test
  void aDeletedLeaseEndsAGrantAndNeverMakesTwo() throws IOException, InterruptedException {
    LeaseSite site = LeaseSite.anywhere(stage);
    ScenarioRun trial = new ScenarioRun(stage, LEASE);
    trial.joinAll(site.ledger(LEASE), "a", "b");
    long epoch = trial.awaitLeaderAfter(0).status().epoch();

    assertThat(site.delete()).isTrue();
    trial.awaitNobodyLeads();
    trial.awaitLeaderAfter(epoch);

    trial.verdict();
  }
}

package io.portcullis.it.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.HandOver;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.Stage;
import io.portcullis.it.support.Trial;
import io.portcullis.servers.kubernetes.ApiServer;
import io.portcullis.servers.kubernetes.Fault;
import io.portcullis.servers.kubernetes.Requests;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Services that share a Lease, with a kubeconfig each. */
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
class KubernetesIT {
  private static final Duration LEASE = Duration.ofSeconds(3);

  /** Much longer than a hand-over takes, so that nobody waits it out by chance. */
  private static final Duration LONG_LEASE = Duration.ofSeconds(12);

  private static final String NAME = "ledger-writer";

  @RegisterExtension final Stage stage = Stage.perTest();

  private ApiServer server;
  private Path kubeconfig;

  @BeforeEach
  void startServer() throws IOException {
    server = stage.opened(ApiServer.start());
    kubeconfig = server.kubeconfig(stage.folder("kubeconfig"));
  }

  private AgentConf conf(Duration lease) {
    return AgentConf.kubernetes(lease, "kubeconfig = \"" + kubeconfig + "\"")
        .rule(AgentConf.APPEND);
  }

  @Test
  void onceTheLeaderIsKilledTheStandbyLeadsWhenTheLeaseIsOver()
      throws IOException, InterruptedException {
    Trial trial = new Trial(stage, LEASE);
    trial.joinAll(conf(LEASE), "a", "b");
    ServiceJvm leader = trial.awaitLeaderAfter(0);
    long epoch = leader.status().epoch();

    trial.kill(leader);
    ServiceJvm successor = trial.awaitLeaderAfter(epoch);

    assertThat(trial.verdict().leaders()).containsExactly(leader.name(), successor.name());
  }

  @Test
  void onSigtermTheStandbyLeadsLongBeforeTheLeaseCouldRunOut()
      throws IOException, InterruptedException {
    HandOver.onSigterm(stage, conf(LONG_LEASE), LONG_LEASE);

    assertThat(
            server.leases().read(NAME).orElseThrow().path("spec").path("holderIdentity").asText())
        .startsWith("b-");
  }

  @Test
  void whileTheServerHangsAllRefuseAndAfterwardsOneLeads()
      throws IOException, InterruptedException {
    Trial trial = new Trial(stage, LEASE);
    trial.joinAll(conf(LEASE), "a", "b");
    long epoch = trial.awaitLeaderAfter(0).status().epoch();

    server.faults().set(Fault.hang(), Requests.all());
    trial.awaitNobodyLeads();
    assertThat(trial.nodes()).allSatisfy(node -> assertThat(node.write().refused()).isTrue());
    assertThat(trial.nodes())
        .allSatisfy(node -> assertThat(node.get("/healthz").status()).isEqualTo(200));
    server.faults().heal();

    trial.awaitLeader();
    trial.awaitWrites();
    assertThat(trial.awaitLeader().status().epoch()).isGreaterThanOrEqualTo(epoch);
    trial.verdict();
  }

  @Test
  void aDeletedLeaseEndsAGrantAndNeverMakesTwo() throws IOException, InterruptedException {
    Trial trial = new Trial(stage, LEASE);
    trial.joinAll(conf(LEASE), "a", "b");
    long epoch = trial.awaitLeaderAfter(0).status().epoch();

    assertThat(server.leases().delete(NAME)).isTrue();
    trial.awaitNobodyLeads();
    trial.awaitLeaderAfter(epoch);

    trial.verdict();
  }
}

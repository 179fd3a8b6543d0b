package io.portcullis.it.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.it.support.AdminCli;
import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.ClusterUnderLoad;
import io.portcullis.it.support.CommandResult;
import io.portcullis.it.support.KubernetesLeaseFixture;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests admin commands on each kind of store while clients write. */
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class AdminCommandsIT {
  private static final Duration LEASE = Duration.ofSeconds(4);

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  private ClusterUnderLoad under(AdminCli operator, AgentConf conf) throws IOException {
    ClusterUnderLoad trial = new ClusterUnderLoad(stage, LEASE);
    trial.joinAll(operator.withAdminToken(conf), "a", "b");
    return trial;
  }

  @Test
  void adminCommandsOnRedisLoseNoWrites() throws IOException, InterruptedException {
    AdminCli operator = new AdminCli(stage);
    operator.assertLeadershipMovesThereAndBack(
        under(operator, AgentConf.ledger(stage.redis().uri(), LEASE)));
  }

  @Test
  void adminCommandsOnPostgresLoseNoWrites() throws IOException, InterruptedException {
    AdminCli operator = new AdminCli(stage);
    operator.assertLeadershipMovesThereAndBack(
        under(operator, AgentConf.ledger(stage.postgres(), LEASE)));
  }

  @Test
  void adminCommandsOnKubernetesLoseNoWrites() throws IOException, InterruptedException {
    AdminCli operator = new AdminCli(stage);
    operator.assertLeadershipMovesThereAndBack(
        under(operator, KubernetesLeaseFixture.inAnyCluster(stage).ledger(LEASE)));
  }

  @Test
  void adminCommandWithoutTokenIsRefused() throws IOException, InterruptedException {
    AdminCli operator = new AdminCli(stage);
    AdminCli stranger = new AdminCli(stage);
    ClusterUnderLoad trial = under(operator, AgentConf.ledger(stage.redis().uri(), LEASE));
    ServiceJvm leader = trial.awaitLeaderAfter(0);

    CommandResult refused = stranger.run("drain", List.of(leader));

    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.stderr()).contains(leader.agentUrl(), "refuses");
    assertThat(leader.leads()).isTrue();
    trial.stopAndCheck();
  }
}

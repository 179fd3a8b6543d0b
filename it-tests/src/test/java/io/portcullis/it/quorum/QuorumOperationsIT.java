package io.portcullis.it.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.it.support.AdminCli;
import io.portcullis.it.support.ClusterUnderLoad;
import io.portcullis.it.support.CommandResult;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class QuorumOperationsIT {
  private static final Duration LEASE = Duration.ofSeconds(4);

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  @Test
  void adminCommandsOnAQuorumLoseNoWrites() throws IOException, InterruptedException {
    AdminCli operator = new AdminCli(stage);
    QuorumCluster quorum = QuorumCluster.of(stage, LEASE, "a", "b", "c").withAdminTokenOf(operator);
    quorum.join("a", "b", "c");

    operator.assertLeadershipMovesThereAndBack(quorum.underLoad());
  }

  @Test
  void stepDownHandsOverToTheNamedMember() throws IOException, InterruptedException {
    AdminCli operator = new AdminCli(stage);
    QuorumCluster quorum =
        QuorumCluster.of(stage, LEASE, "a", "b", "c")
            .withAdminTokenOf(operator)
            .withLongElectionTimeouts();
    ClusterUnderLoad trial = quorum.underLoad();
    quorum.join("a", "b", "c");
    ServiceJvm first = trial.awaitLeaderAfter(0);
    long epoch = first.status().epoch();
    String named = quorum.others(QuorumCluster.member(first)).get(1);

    CommandResult unknown =
        operator.run("step-down", List.of(first), "--token-file", "token", "--to", "unknown");
    assertThat(unknown.exitCode()).isEqualTo(1);
    assertThat(unknown.stderr()).contains("no such member");
    operator.runAdminCommand("step-down", first, "--to", named);

    assertThat(QuorumCluster.member(trial.awaitLeaderAfter(epoch))).isEqualTo(named);
    trial.stopAndCheck();
  }
}

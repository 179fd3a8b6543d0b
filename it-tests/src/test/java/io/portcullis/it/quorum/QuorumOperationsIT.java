package io.portcullis.it.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.it.support.Command;
import io.portcullis.it.support.Operator;
import io.portcullis.it.support.ScenarioRun;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.StoreEnvironment;
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

  @RegisterExtension final StoreEnvironment stage = StoreEnvironment.perTest();

  @Test
  void leadershipMovesThereAndBackAndNoWriteIsLost() throws IOException, InterruptedException {
    Operator operator = new Operator(stage);
    QuorumCluster quorum = QuorumCluster.of(stage, LEASE, "a", "b", "c").trusting(operator);
    quorum.join("a", "b", "c");

    operator.movesLeadershipThereAndBack(quorum.trial());
  }

  @Test
  void leadershipGoesToTheMemberThatIsNamed() throws IOException, InterruptedException {
    Operator operator = new Operator(stage);
    QuorumCluster quorum = QuorumCluster.of(stage, LEASE, "a", "b", "c").trusting(operator);
    ScenarioRun trial = quorum.trial();
    quorum.join("a", "b", "c");
    ServiceJvm first = trial.awaitLeaderAfter(0);
    long epoch = first.status().epoch();
    String named = quorum.others(QuorumCluster.member(first)).get(1);

    Command unknown =
        operator.says("step-down", List.of(first), "--token-file", "token", "--to", "nobody");
    assertThat(unknown.exitCode()).isEqualTo(1);
    assertThat(unknown.stderr()).contains("no such member");
    operator.orders("step-down", first, "--to", named);

    assertThat(QuorumCluster.member(trial.awaitLeaderAfter(epoch))).isEqualTo(named);
    trial.verdict();
  }
}

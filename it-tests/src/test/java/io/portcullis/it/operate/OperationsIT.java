package io.portcullis.it.operate;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.Command;
import io.portcullis.it.support.LeaseSite;
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

/** What an operator does, on each kind of store, with writes going on. */
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class OperationsIT {
  private static final Duration LEASE = Duration.ofSeconds(4);

  @RegisterExtension final StoreEnvironment stage = StoreEnvironment.perTest();

  private ScenarioRun under(Operator operator, AgentConf conf) throws IOException {
    ScenarioRun trial = new ScenarioRun(stage, LEASE);
    trial.joinAll(operator.trustedBy(conf), "a", "b");
    return trial;
  }

  @Test
  void onRedisLeadershipMovesThereAndBackAndNoWriteIsLost()
      throws IOException, InterruptedException {
    Operator operator = new Operator(stage);
    operator.movesLeadershipThereAndBack(
        under(operator, AgentConf.ledger(stage.redis().uri(), LEASE)));
  }

  @Test
  void onPostgresLeadershipMovesThereAndBackAndNoWriteIsLost()
      throws IOException, InterruptedException {
    Operator operator = new Operator(stage);
    operator.movesLeadershipThereAndBack(
        under(operator, AgentConf.ledger(stage.postgres(), LEASE)));
  }

  @Test
  void onKubernetesLeadershipMovesThereAndBackAndNoWriteIsLost()
      throws IOException, InterruptedException {
    Operator operator = new Operator(stage);
    operator.movesLeadershipThereAndBack(under(operator, LeaseSite.anywhere(stage).ledger(LEASE)));
  }

  @Test
  void withoutTheTokenNothingMoves() throws IOException, InterruptedException {
    Operator operator = new Operator(stage);
    Operator stranger = new Operator(stage);
    ScenarioRun trial = under(operator, AgentConf.ledger(stage.redis().uri(), LEASE));
    ServiceJvm leader = trial.awaitLeaderAfter(0);

    Command refused = stranger.says("drain", List.of(leader));

    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.stderr()).contains(leader.agentUrl(), "refuses");
    assertThat(leader.leads()).isTrue();
    trial.verdict();
  }
}

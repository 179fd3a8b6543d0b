package io.portcullis.it.operate;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.LeaseSite;
import io.portcullis.it.support.ScenarioRun;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.StoreEnvironment;
import java.io.IOException;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A preferred node that joins late is given the leadership, with writes going on. */
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class PriorityIT {
  /** Much longer than a busy machine holds up a renewal. */
  private static final Duration LEASE = Duration.ofSeconds(8);

  private static final Duration AFTER = Duration.ofSeconds(5);

  @RegisterExtension final StoreEnvironment stage = StoreEnvironment.perTest();

  @Test
  void onRedisTheLeaderGivesWayAndNoWriteIsLost() throws Exception {
    String redis = stage.redis().uri();
    givesWay(() -> AgentConf.ledger(redis, LEASE));
  }

  @Test
  void onPostgresTheLeaderGivesWayAndNoWriteIsLost() throws Exception {
    var postgres = stage.postgres();
    givesWay(() -> AgentConf.ledger(postgres, LEASE));
  }

  @Test
  void onKubernetesTheLeaderGivesWayAndNoWriteIsLost() throws Exception {
    LeaseSite site = LeaseSite.anywhere(stage);
    givesWay(() -> site.ledger(LEASE));
  }

  private interface Confs {
    AgentConf anew();
  }

  private static AgentConf preferred(Confs confs, int priority) {
    return confs
        .anew()
        .set("node.priority", Integer.toString(priority))
        .set("node.priority-after", AFTER.toSeconds() + "s");
  }

  private void givesWay(Confs confs) throws IOException, InterruptedException {
    ScenarioRun trial = new ScenarioRun(stage, LEASE);
    ServiceJvm low = trial.join("low", preferred(confs, 0));
    low.awaitRole("LEADER");
    long epoch = low.status().epoch();
    trial.awaitWrites();

    ServiceJvm high = trial.join("high", preferred(confs, 7));

    assertThat(trial.awaitLeaderAfter(epoch)).isSameAs(high);
    low.awaitLog(
        line ->
            line.contains("lost leadership from=LEADER to=STANDBY why=\"high-")
                && line.contains(" has a higher priority and has been well for "));
    low.awaitRole("STANDBY");
    long last = high.status().epoch();
    Awaitility.await("nothing moves any more")
        .during(AFTER.multipliedBy(2))
        .atMost(Duration.ofMinutes(2))
        .until(() -> high.status().saysLeader() && high.status().epoch() == last);
    assertThat(high.find(line -> line.contains("node.priority is"))).isEmpty();
    assertThat(trial.verdict().leaders()).containsExactly(low.name(), high.name());
  }
}

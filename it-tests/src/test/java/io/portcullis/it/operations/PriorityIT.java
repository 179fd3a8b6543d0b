package io.portcullis.it.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.ClusterUnderLoad;
import io.portcullis.it.support.KubernetesLeaseFixture;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import java.io.IOException;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests that a preferred node which joins late gets leadership, while clients write. */
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class PriorityIT {
  /** Much longer than a busy machine delays a renewal. */
  private static final Duration LEASE = Duration.ofSeconds(8);

  private static final Duration AFTER = Duration.ofSeconds(5);

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  @Test
  void priorityHandoverOnRedisLosesNoWrites() throws Exception {
    String redis = stage.redis().uri();
    assertYieldsToPreferredNode(() -> AgentConf.ledger(redis, LEASE));
  }

  @Test
  void priorityHandoverOnPostgresLosesNoWrites() throws Exception {
    var postgres = stage.postgres();
    assertYieldsToPreferredNode(() -> AgentConf.ledger(postgres, LEASE));
  }

  @Test
  void priorityHandoverOnKubernetesLosesNoWrites() throws Exception {
    KubernetesLeaseFixture site = KubernetesLeaseFixture.inAnyCluster(stage);
    assertYieldsToPreferredNode(() -> site.ledger(LEASE));
  }

  private interface ConfFactory {
    AgentConf create();
  }

  private static AgentConf preferred(ConfFactory confs, int priority) {
    return confs
        .create()
        .set("node.priority", Integer.toString(priority))
        .set("node.priority-after", AFTER.toSeconds() + "s");
  }

  private void assertYieldsToPreferredNode(ConfFactory confs)
      throws IOException, InterruptedException {
    ClusterUnderLoad trial = new ClusterUnderLoad(stage, LEASE);
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
    Awaitility.await("leadership is stable")
        .during(AFTER.multipliedBy(2))
        .atMost(Duration.ofMinutes(2))
        .until(() -> high.status().saysLeader() && high.status().epoch() == last);
    assertThat(high.find(line -> line.contains("node.priority is"))).isEmpty();
    assertThat(trial.stopAndCheck().leaders()).containsExactly(low.name(), high.name());
  }
}

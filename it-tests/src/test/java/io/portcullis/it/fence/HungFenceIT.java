package io.portcullis.it.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.DualLeaderDetector;
import io.portcullis.it.support.JmxConnection;
import io.portcullis.it.support.LeadershipLog;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import io.portcullis.servers.TcpProxy;
import java.io.IOException;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Tests admin commands and shutdown while a fenced database does not respond. It never recovers
 * during these tests, so an unbounded wait would never end.
 */
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class HungFenceIT {
  private static final long DRAIN_SECONDS = 2;

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  private static AgentConf bounded(AgentConf conf) {
    return conf.set("elections.writer.timing.drain", DRAIN_SECONDS + "s");
  }

  private ServiceJvm leader(FencedDatabaseFixture vault) throws IOException {
    ServiceJvm node = vault.start(stage, "a", bounded(vault.fenced())).awaitRole("LEADER");
    vault.awaitTransfersBy("a");
    return node;
  }

  private ServiceJvm standby(FencedDatabaseFixture vault, String name) throws IOException {
    return vault.start(stage, name, bounded(vault.fenced())).awaitRole("STANDBY");
  }

  private static void awaitTrouble(ServiceJvm node) {
    Awaitility.await("fence problem in the status of " + node.name())
        .atMost(FencedDatabaseFixture.TIMEOUT)
        .until(() -> !node.status().json().path("fences").path(0).path("problem").isNull());
  }

  private static void awaitNoLeader(ServiceJvm... nodes) {
    Awaitility.await("no node leads")
        .during(FencedDatabaseFixture.LEASE.multipliedBy(3))
        .atMost(FencedDatabaseFixture.TIMEOUT)
        .until(() -> List.of(nodes).stream().noneMatch(ServiceJvm::leads));
  }

  private static void assertNoSafetyViolation(
      FencedDatabaseFixture vault, DualLeaderDetector watch, ServiceJvm... nodes) {
    watch.close();
    assertThat(watch.violations()).isEmpty();
    assertThat(LeadershipLog.of(nodes).violations(FencedDatabaseFixture.LEASE)).isEmpty();
    assertThat(vault.staleTransfers()).isEmpty();
    assertThat(vault.totalBalance()).isEqualTo(FencedDatabaseFixture.initialTotalBalance());
    assertThat(vault.inconsistentAccounts()).isEmpty();
  }

  /** The leader loses its network path to the database, together with the calls in flight on it. */
  @Test
  void leaderCutOffFromFenceStillObeysAdminCommands() throws Exception {
    FencedDatabaseFixture vault = FencedDatabaseFixture.open(stage);
    TcpProxy network = stage.proxyTo(vault.postgres());
    ServiceJvm cutOff = leader(vault.through(network));
    ServiceJvm other = standby(vault, "b");
    DualLeaderDetector watch = stage.opened(DualLeaderDetector.over(cutOff, other));

    network.dropSilently();
    try (JmxConnection jmx = JmxConnection.to(cutOff)) {
      jmx.drain(DRAIN_SECONDS);
      cutOff.awaitRole("DRAINED");
      other.awaitRole("LEADER");
      vault.awaitTransfersBy("b");
      jmx.invoke("resume");
    }
    cutOff.awaitRole("STANDBY");
    awaitTrouble(cutOff);
    network.heal();
    try (JmxConnection jmx = JmxConnection.to(other)) {
      Awaitility.await("the node campaigns again")
          .atMost(FencedDatabaseFixture.TIMEOUT)
          .until(() -> cutOff.status().json().path("fences").path(0).path("problem").isNull());
      jmx.invoke("stepDown");
    }

    cutOff.awaitRole("LEADER");
    vault.awaitTransfersBy("a");
    network.dropSilently();
    cutOff.terminate();
    cutOff.awaitExit(FencedDatabaseFixture.TIMEOUT);
    other.awaitRole("LEADER");
    vault.awaitTransfersBy("b");
    assertNoSafetyViolation(vault, watch, cutOff, other);
  }

  @Test
  void stoppedDatabaseLeavesNoLeaderAndCommandsWork() throws Exception {
    FencedDatabaseFixture vault = FencedDatabaseFixture.open(stage);
    assumeTrue(vault.postgres().isControllable());
    ServiceJvm first = leader(vault);
    ServiceJvm drained = standby(vault, "b");
    ServiceJvm ended = standby(vault, "c");
    DualLeaderDetector watch = stage.opened(DualLeaderDetector.over(first, drained, ended));

    vault.postgres().pause();
    try (JmxConnection jmx = JmxConnection.to(first)) {
      jmx.invoke("stepDown");
    }
    first.awaitLog("lost leadership");
    awaitNoLeader(first, drained, ended);
    drained.awaitLog("fence=main does not respond");
    drained.awaitLog("why=\"waits for the fence at ");
    try (JmxConnection jmx = JmxConnection.to(drained)) {
      jmx.drain(DRAIN_SECONDS);
    }
    drained.awaitRole("DRAINED");
    ended.terminate();
    ended.awaitExit(FencedDatabaseFixture.TIMEOUT);
    vault.postgres().resume();

    first.awaitRole("LEADER");
    vault.awaitTransfersBy("a");
    assertNoSafetyViolation(vault, watch, first, drained, ended);
  }

  /** Reading the fence still works, so candidates win the lease and have to release it. */
  @Test
  void lockedFenceRowLeavesNoLeaderAndCommandsWork() throws Exception {
    FencedDatabaseFixture vault = FencedDatabaseFixture.open(stage).withUnprivilegedInstaller();
    ServiceJvm first = leader(vault);
    ServiceJvm drained = standby(vault, "b");
    ServiceJvm ended = standby(vault, "c");
    DualLeaderDetector watch = stage.opened(DualLeaderDetector.over(first, drained, ended));

    try (Connection keeper = vault.postgres().connect();
        Statement statement = keeper.createStatement();
        JmxConnection jmx = JmxConnection.to(first)) {
      keeper.setAutoCommit(false);
      statement.execute("select * from portcullis.portcullis_fence for update");
      jmx.drain(DRAIN_SECONDS);
      first.awaitLog("lost leadership");
      awaitNoLeader(first, drained, ended);
      drained.awaitLog("can't be raised: backend ");
      try (JmxConnection other = JmxConnection.to(drained)) {
        other.drain(DRAIN_SECONDS);
      }
      drained.awaitRole("DRAINED");
      ended.terminate();
      ended.awaitExit(FencedDatabaseFixture.TIMEOUT);
      jmx.invoke("resume");
      awaitNoLeader(first, drained);
      keeper.rollback();
    }

    first.awaitRole("LEADER");
    vault.awaitTransfersBy("a");
    assertNoSafetyViolation(vault, watch, first, drained, ended);
  }
}

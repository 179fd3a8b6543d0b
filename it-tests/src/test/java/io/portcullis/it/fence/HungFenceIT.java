package io.portcullis.it.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.JmxConnection;
import io.portcullis.it.support.LeaderWatch;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.StoreEnvironment;
import io.portcullis.it.support.Transcript;
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
 * Orders, and the end of a JVM, while a fenced database does not answer. It never does by itself in
 * these tests, so whatever waits for it without a bound never ends.
 */
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class HungFenceIT {
  private static final long DRAIN_SECONDS = 2;

  @RegisterExtension final StoreEnvironment stage = StoreEnvironment.perTest();

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
    Awaitility.await("trouble with the fence in the status of " + node.name())
        .atMost(FencedDatabaseFixture.PATIENCE)
        .until(() -> !node.status().json().path("fences").path(0).path("trouble").isNull());
  }

  private static void awaitNoLeader(ServiceJvm... nodes) {
    Awaitility.await("nobody leads")
        .during(FencedDatabaseFixture.LEASE.multipliedBy(3))
        .atMost(FencedDatabaseFixture.PATIENCE)
        .until(() -> List.of(nodes).stream().noneMatch(ServiceJvm::leads));
  }

  private static void assertSound(
      FencedDatabaseFixture vault, LeaderWatch watch, ServiceJvm... nodes) {
    watch.close();
    assertThat(watch.violations()).isEmpty();
    assertThat(Transcript.of(nodes).violations(FencedDatabaseFixture.LEASE)).isEmpty();
    assertThat(vault.stale()).isEmpty();
    assertThat(vault.sum()).isEqualTo(FencedDatabaseFixture.sumAtFirst());
    assertThat(vault.crooked()).isEmpty();
  }

  /** The way of one node to the database, and its calls with it, are lost. */
  @Test
  void blackHoledLeaderObeysOrdersAndAnotherLeads() throws Exception {
    FencedDatabaseFixture vault = FencedDatabaseFixture.open(stage);
    TcpProxy way = stage.proxyTo(vault.postgres());
    ServiceJvm cutOff = leader(vault.by(way));
    ServiceJvm other = standby(vault, "b");
    LeaderWatch watch = stage.opened(LeaderWatch.over(cutOff, other));

    way.dropSilently();
    try (JmxConnection jmx = JmxConnection.to(cutOff)) {
      jmx.drain(DRAIN_SECONDS);
      cutOff.awaitRole("DRAINED");
      other.awaitRole("LEADER");
      vault.awaitTransfersBy("b");
      jmx.invoke("resume");
    }
    cutOff.awaitRole("STANDBY");
    awaitTrouble(cutOff);
    way.heal();
    try (JmxConnection jmx = JmxConnection.to(other)) {
      Awaitility.await("it campaigns again")
          .atMost(FencedDatabaseFixture.PATIENCE)
          .until(() -> cutOff.status().json().path("fences").path(0).path("trouble").isNull());
      jmx.invoke("stepDown");
    }

    cutOff.awaitRole("LEADER");
    vault.awaitTransfersBy("a");
    way.dropSilently();
    cutOff.terminate();
    cutOff.awaitExit(FencedDatabaseFixture.PATIENCE);
    other.awaitRole("LEADER");
    vault.awaitTransfersBy("b");
    assertSound(vault, watch, cutOff, other);
  }

  @Test
  void stoppedDatabaseLeavesNoLeaderAndOrdersWork() throws Exception {
    FencedDatabaseFixture vault = FencedDatabaseFixture.open(stage);
    assumeTrue(vault.postgres().isControllable());
    ServiceJvm first = leader(vault);
    ServiceJvm drained = standby(vault, "b");
    ServiceJvm ended = standby(vault, "c");
    LeaderWatch watch = stage.opened(LeaderWatch.over(first, drained, ended));

    vault.postgres().pause();
    try (JmxConnection jmx = JmxConnection.to(first)) {
      jmx.invoke("stepDown");
    }
    first.awaitLog("lost leadership");
    awaitNoLeader(first, drained, ended);
    drained.awaitLog("fence=main does not answer");
    drained.awaitLog("why=\"waits for the fence at ");
    try (JmxConnection jmx = JmxConnection.to(drained)) {
      jmx.drain(DRAIN_SECONDS);
    }
    drained.awaitRole("DRAINED");
    ended.terminate();
    ended.awaitExit(FencedDatabaseFixture.PATIENCE);
    vault.postgres().resume();

    first.awaitRole("LEADER");
    vault.awaitTransfersBy("a");
    assertSound(vault, watch, first, drained, ended);
  }

  /**
   * Reading the fence works all the while, so candidates win the lease and have to give it back.
   */
  @Test
  void lockedFenceRowLeavesNoLeaderAndOrdersWork() throws Exception {
    FencedDatabaseFixture vault = FencedDatabaseFixture.open(stage).withPoorInstaller();
    ServiceJvm first = leader(vault);
    ServiceJvm drained = standby(vault, "b");
    ServiceJvm ended = standby(vault, "c");
    LeaderWatch watch = stage.opened(LeaderWatch.over(first, drained, ended));

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
      ended.awaitExit(FencedDatabaseFixture.PATIENCE);
      jmx.invoke("resume");
      awaitNoLeader(first, drained);
      keeper.rollback();
    }

    first.awaitRole("LEADER");
    vault.awaitTransfersBy("a");
    assertSound(vault, watch, first, drained, ended);
  }
}

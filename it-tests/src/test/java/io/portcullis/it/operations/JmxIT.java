package io.portcullis.it.operations;

import static io.portcullis.election.contract.TestTimeouts.MAX_WAIT;
import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.it.support.AgentConf;
import io.portcullis.it.support.DualLeaderDetector;
import io.portcullis.it.support.JmxConnection;
import io.portcullis.it.support.JvmLauncher;
import io.portcullis.it.support.LeadershipLog;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.management.JMException;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
@TestMethodOrder(MethodOrderer.MethodName.class)
class JmxIT {
  /** Longer than any wait of a test, so a handover did not wait for its end. */
  private static final Duration LEASE = Duration.ofMinutes(5);

  @RegisterExtension static final TestEnvironment STAGE = TestEnvironment.shared();

  private static ServiceJvm a;
  private static ServiceJvm b;

  @BeforeAll
  static void startNodes() throws IOException {
    Path journal = STAGE.folder("journal").resolve("journal.log");
    AgentConf conf = AgentConf.ledger(STAGE.postgres(), LEASE);
    a = STAGE.start("a", JvmLauncher.demoService("a", journal).conf(conf));
    a.awaitRole("LEADER");
    b = STAGE.start("b", JvmLauncher.demoService("b", journal).conf(conf));
    b.awaitRole("STANDBY");
    b.awaitLog("new leader");
  }

  @Test
  void beansShowTheElectionAndTheRules() throws IOException, InterruptedException, JMException {
    ServiceJvm leader = leader();
    leader.write();
    try (JmxConnection jmx = beans(leader)) {
      String node = (String) jmx.get(JmxConnection.election(), "Node");

      assertThat(node).startsWith(leader.name() + "-" + leader.handle().pid());
      assertThat(jmx.get(JmxConnection.election(), "Role")).isEqualTo("LEADER");
      assertThat(jmx.get(JmxConnection.election(), "Leader")).isEqualTo(node);
      assertThat(jmx.get(JmxConnection.election(), "LeaderAddress")).isNull();
      assertThat(jmx.get(JmxConnection.election(), "Epoch")).isEqualTo(leader.status().epoch());
      assertThat((Long) jmx.get(JmxConnection.election(), "LeaseRemainingMillis"))
          .isBetween(1L, LEASE.toMillis());
      assertThat((Long) jmx.get(JmxConnection.election(), "HeartbeatAgeMillis")).isNotNegative();
      assertThat(jmx.get(JmxConnection.election(), "HeartbeatStale")).isEqualTo(false);
      assertThat(jmx.get(JmxConnection.election(), "Backend")).isEqualTo("postgres");
      assertThat((Long) jmx.get(JmxConnection.election(), "ElectionCount")).isPositive();
      assertThat((String) jmx.get(JmxConnection.election(), "LastTransition")).contains("leader");
      assertThat(jmx.get(JmxConnection.rule("append"), "State")).isEqualTo("ARMED");
      assertThat(jmx.get(JmxConnection.rule("append"), "Match"))
          .isEqualTo("com.acme.ledger.Ledger#append(..)");
      assertThat(jmx.get(JmxConnection.rule("append"), "Action")).isEqualTo("throw");
      assertThat((Number) jmx.get(JmxConnection.rule("append"), "WovenMethods"))
          .satisfies(number -> assertThat(number.longValue()).isEqualTo(1));
      assertThat((Long) jmx.get(JmxConnection.rule("append"), "Passed")).isPositive();
      assertThat((Long) jmx.get(JmxConnection.rule("append"), "Blocked")).isNotNegative();
      assertThat(jmx.get(JmxConnection.rule("append"), "Mode")).isEqualTo("enforce");
      assertThat((Long) jmx.get(JmxConnection.rule("append"), "Observed")).isZero();
    }
  }

  @Test
  void stepDownByJmxMovesLeadershipAndNotifies() throws Exception {
    ServiceJvm before = leader();
    ServiceJvm after = other(before);
    DualLeaderDetector watch = STAGE.opened(DualLeaderDetector.over(a, b));
    List<Object> notified = new CopyOnWriteArrayList<>();
    try (JmxConnection jmx = beans(before)) {
      long epoch = (Long) jmx.get(JmxConnection.election(), "Epoch");
      jmx.listen((notification, handback) -> notified.add(notification.getUserData()));

      jmx.invoke("stepDown");
      after.awaitRole("LEADER");

      before.awaitRole("STANDBY");
      assertThat(before.write().refused()).isTrue();
      assertThat(after.write().accepted()).isTrue();
      Awaitility.await()
          .atMost(MAX_WAIT)
          .untilAsserted(
              () ->
                  assertThat(notified)
                      .anySatisfy(
                          data ->
                              assertThat(data)
                                  .asInstanceOf(InstanceOfAssertFactories.MAP)
                                  .containsEntry("election", "writer")
                                  .containsEntry("what", "lost leadership")
                                  .containsEntry("leading", false)
                                  .containsEntry("epoch", epoch)
                                  .containsKey("why")));
    }
    watch.close();
    assertThat(watch.violations()).isEmpty();
    assertThat(LeadershipLog.of(a, b).violations(LEASE)).isEmpty();
  }

  @Test
  void drainedNodeDoesNotLeadUntilResumed() throws Exception {
    ServiceJvm drained = leader();
    ServiceJvm after = other(drained);
    try (JmxConnection jmx = beans(drained);
        JmxConnection otherJmx = beans(after)) {
      jmx.drain(10);
      after.awaitRole("LEADER");
      drained.awaitRole("DRAINED");
      drained.awaitLog("command=drain by=jmx role=LEADER");
      assertThat(drained.get("/healthz").status()).isEqualTo(200);
      assertThat(jmx.get(JmxConnection.election(), "Role")).isEqualTo("DRAINED");
      assertThat(drained.write().refused()).isTrue();

      jmx.invoke("resume");
      drained.awaitRole("STANDBY");
      otherJmx.invoke("stepDown");
      drained.awaitRole("LEADER");

      assertThat(drained.write().accepted()).isTrue();
    }
    assertThat(LeadershipLog.of(a, b).violations(LEASE)).isEmpty();
  }

  private static ServiceJvm leader() {
    return Awaitility.await()
        .atMost(MAX_WAIT)
        .until(() -> a.leads() ? a : b.leads() ? b : null, leader -> leader != null);
  }

  private static ServiceJvm other(ServiceJvm one) {
    return one == a ? b : a;
  }

  /** MBeans are registered last, possibly after the election's first events. */
  private static JmxConnection beans(ServiceJvm jvm) throws IOException, JMException {
    JmxConnection link = JmxConnection.to(jvm);
    Awaitility.await()
        .atMost(MAX_WAIT)
        .until(() -> link.has(JmxConnection.election()) && link.has(JmxConnection.rule("append")));
    return link;
  }
}

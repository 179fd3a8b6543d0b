package io.portcullis.it.quorum;

import static io.portcullis.election.contract.TestTimeouts.MAX_WAIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.it.support.ClusterUnderLoad;
import io.portcullis.it.support.JmxConnection;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import javax.management.RuntimeMBeanException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests handovers to a named or preferred member while clients write. */
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class QuorumHandoverIT {
  /** Far longer than a handover takes, so only an orderly handover is in time. */
  private static final Duration LEASE = Duration.ofSeconds(10);

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  private static JmxConnection beans(ServiceJvm jvm) throws IOException {
    JmxConnection link = JmxConnection.to(jvm);
    Awaitility.await().atMost(MAX_WAIT).until(() -> link.has(JmxConnection.election()));
    return link;
  }

  private static void refuses(JmxConnection leader, String to, String why) {
    assertThatThrownBy(() -> leader.stepDown(to))
        .isInstanceOf(RuntimeMBeanException.class)
        .cause()
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is not handed over to '" + to + "': ")
        .hasMessageContaining(why);
  }

  @Test
  void handoverToNamedMemberRefusesUnsuitableMembers() throws Exception {
    QuorumCluster quorum = QuorumCluster.of(stage, LEASE, "a", "b", "c").withLongElectionTimeouts();
    ClusterUnderLoad trial = quorum.underLoad();
    List<ServiceJvm> nodes = quorum.join("a", "b", "c");
    ServiceJvm leader = trial.awaitLeaderAfter(0);
    long epoch = leader.status().epoch();
    String self = QuorumCluster.member(leader);
    // Not the member that the leader would choose without a name.
    String named = quorum.others(self).get(0);
    ServiceJvm follower = node(nodes, quorum.others(self).get(1));
    try (JmxConnection jmx = beans(leader);
        JmxConnection other = beans(follower)) {
      refuses(jmx, "z", "there is no such member; the others are ");
      refuses(jmx, self, "that is this node itself");
      refuses(other, named, "this node does not lead");
      assertThat(leader.status().epoch()).isEqualTo(epoch);
      assertThat(leader.leads()).isTrue();

      Awaitility.await()
          .atMost(MAX_WAIT)
          .ignoreExceptionsInstanceOf(RuntimeMBeanException.class)
          .until(
              () -> {
                jmx.stepDown(named);
                return true;
              });
    }

    ServiceJvm next = trial.awaitLeaderAfter(epoch);
    assertThat(QuorumCluster.member(next)).isEqualTo(named);
    leader.awaitLog("lost leadership from=LEADER to=STANDBY why=\"handed over to " + named + "\"");
    assertThat(trial.stopAndCheck().leaders()).containsExactly(leader.name(), next.name());
  }

  @Test
  void drainedMemberNeverBecomesTheSuccessor() throws Exception {
    QuorumCluster quorum = QuorumCluster.of(stage, LEASE, "a", "b", "c");
    ClusterUnderLoad trial = quorum.underLoad();
    List<ServiceJvm> nodes = quorum.join("a", "b", "c");
    ServiceJvm leader = trial.awaitLeaderAfter(0);
    long epoch = leader.status().epoch();
    String named = quorum.others(QuorumCluster.member(leader)).get(0);
    ServiceJvm drained = node(nodes, named);
    boolean taken;
    try (JmxConnection jmx = beans(leader);
        JmxConnection other = beans(drained)) {
      Awaitility.await("the other member is a standby")
          .atMost(MAX_WAIT)
          .until(
              () -> String.valueOf(other.get(JmxConnection.election(), "Role")).equals("STANDBY"));
      other.drain(1);
      taken = isTaken(jmx, named); // The leader may not know of the drain yet.
    }

    ServiceJvm next = taken ? trial.awaitLeaderAfter(epoch) : leader;
    assertThat(next).isNotSameAs(drained);
    drained.awaitRole("DRAINED");
    try (JmxConnection jmx = beans(next)) {
      Awaitility.await().atMost(MAX_WAIT).untilAsserted(() -> refuses(jmx, named, "drained"));
    }
    assertThat(next.leads()).isTrue();
    assertThat(trial.stopAndCheck().leaders()).doesNotContain(drained.name());
  }

  private static boolean isTaken(JmxConnection leader, String named) throws Exception {
    try {
      leader.stepDown(named);
      return true;
    } catch (RuntimeMBeanException e) {
      return false;
    }
  }

  @Test
  void memberOfHigherPriorityGetsAndKeepsLeadership() throws Exception {
    QuorumCluster quorum = QuorumCluster.of(stage, LEASE, "a", "b", "w");
    ClusterUnderLoad trial = quorum.underLoad();
    quorum.startWitness("w");
    ServiceJvm a = start(quorum, "a", 10);
    ServiceJvm b = start(quorum, "b", 0);
    trial.writeToAndWatch(a);
    trial.writeToAndWatch(b);
    a.awaitRole("LEADER"); // Elected first, or by a handover.
    b.awaitRole("STANDBY");
    long epoch = a.status().epoch();
    try (JmxConnection jmx = beans(a)) {
      refuses(jmx, "w", "a witness");
      Awaitility.await()
          .atMost(MAX_WAIT)
          .ignoreExceptionsInstanceOf(RuntimeMBeanException.class)
          .until(
              () -> {
                jmx.stepDown("b");
                return true;
              });
      assertThat(trial.awaitLeaderAfter(epoch)).isSameAs(b);
      long epochOfB = b.status().epoch();

      assertThat(trial.awaitLeaderAfter(epochOfB)).isSameAs(a);

      b.awaitLog("lost leadership from=LEADER to=STANDBY why=\"a has a higher priority");
      long epochOfA = a.status().epoch();
      Awaitility.await()
          .during(Duration.ofSeconds(5))
          .atMost(MAX_WAIT)
          .until(() -> a.status().saysLeader() && a.status().epoch() == epochOfA);
      trial.kill(b);
      Awaitility.await()
          .atMost(MAX_WAIT)
          .untilAsserted(() -> refuses(jmx, "b", "there is no link with that member"));
      assertThat(a.status().epoch()).isEqualTo(epochOfA);
    }
    assertThat(trial.stopAndCheck().leaders()).endsWith(a.name(), b.name(), a.name());
  }

  private ServiceJvm start(QuorumCluster quorum, String member, int priority) throws IOException {
    String name = quorum.nextName(member);
    return stage.start(
        name,
        quorum
            .service(name)
            .env("PORTCULLIS__node__priority", Integer.toString(priority))
            .env("PORTCULLIS__node__priority_after", "8s"));
  }

  private static ServiceJvm node(List<ServiceJvm> nodes, String member) {
    return nodes.stream()
        .filter(each -> QuorumCluster.member(each).equals(member))
        .findFirst()
        .orElseThrow();
  }
}

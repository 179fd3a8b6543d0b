package io.portcullis.it.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.portcullis.it.support.ClusterUnderLoad;
import io.portcullis.it.support.Elapsed;
import io.portcullis.it.support.JournalCheck;
import io.portcullis.it.support.LeadershipLog;
import io.portcullis.it.support.ServiceJvm;
import io.portcullis.it.support.TestEnvironment;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
class QuorumPartitionIT {
  private static final Duration LEASE = Duration.ofSeconds(3);
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  @RegisterExtension final TestEnvironment stage = TestEnvironment.perTest();

  private VirtualNetwork subnet;
  private QuorumCluster quorum;
  private ClusterUnderLoad trial;

  /** What a member can no longer do. */
  enum Fault {
    HEAR_OR_SPEAK(true, true),
    HEAR(true, false),
    SPEAK(false, true);

    private final boolean deaf;
    private final boolean mute;

    Fault(boolean deaf, boolean mute) {
      this.deaf = deaf;
      this.mute = mute;
    }
  }

  @BeforeAll
  static void needNamespaces() {
    String hindrance = VirtualNetwork.unavailableReason();
    assumeTrue(hindrance.isEmpty(), "needs network namespaces, made with ip as root: " + hindrance);
  }

  @BeforeEach
  void start() throws IOException {
    subnet = stage.opened(VirtualNetwork.of(List.of("a", "b", "c")));
    quorum = QuorumCluster.in(subnet, stage, LEASE, "a", "b", "c");
    trial = quorum.underLoad();
    quorum.join("a", "b", "c");
  }

  @ParameterizedTest
  @EnumSource
  void leaderWithoutMajorityStopsBeforeAnotherLeads(Fault fault)
      throws IOException, InterruptedException {
    ServiceJvm old = trial.awaitLeaderAfter(0);
    long epoch = old.status().epoch();

    afflict(old, fault);
    ServiceJvm next = trial.awaitLeaderAfter(epoch);
    assertThat(old.leads()).isFalse();
    assertThat(old.write().refused()).isTrue();
    old.awaitLog("lost leadership");
    long nextEpoch = next.status().epoch();
    subnet.heal();
    QuorumCluster.awaitFollows(old, next);
    assertThat(old.write().refused()).isTrue();
    trial.awaitWrites();
    assertThat(next.status().epoch()).isEqualTo(nextEpoch).isGreaterThan(epoch);

    LeadershipLog transcript = trial.stopAndCheck();
    assertThat(transcript.leaders()).containsExactly(old.name(), next.name());
    assertThat(JournalCheck.read(trial.journal()).runs()).containsExactly(old.name(), next.name());
    assertThat(transcript.events())
        .extracting(LeadershipLog.Event::granted)
        .as("loss is logged before the next grant: %s", transcript.events())
        .containsExactly(true, false, true);
  }

  @ParameterizedTest
  @EnumSource(names = {"HEAR_OR_SPEAK", "HEAR"})
  void isolatedFollowerDoesNotDisruptTheLeader(Fault fault)
      throws IOException, InterruptedException {
    ServiceJvm leader = trial.awaitLeaderAfter(0);
    long epoch = leader.status().epoch();
    ServiceJvm follower = trial.other(leader);

    long since = System.nanoTime();
    afflict(follower, fault);
    Elapsed.await(LEASE.multipliedBy(3), since);
    assertThat(heartbeatAgeMillis(follower)).isGreaterThan(LEASE.toMillis());
    assertThat(follower.write().refused()).isTrue();
    trial.awaitWrites();
    assertThat(leader.status().epoch()).isEqualTo(epoch);
    subnet.heal();
    awaitFreshHeartbeat(follower, leader);

    assertThat(trial.stopAndCheck().leaders()).containsExactly(leader.name());
    assertThat(leader.status().epoch()).isEqualTo(epoch);
  }

  @Test
  void fullyPartitionedClusterHasNoLeader() throws IOException, InterruptedException {
    ServiceJvm old = trial.awaitLeaderAfter(0);
    long epoch = old.status().epoch();

    long since = System.nanoTime();
    trial.nodes().forEach(node -> afflict(node, Fault.SPEAK));
    trial.awaitNoLeader();
    Elapsed.await(LEASE.multipliedBy(2), since);
    assertThat(trial.nodes()).noneMatch(ServiceJvm::leads);
    assertThat(trial.nodes()).allMatch(node -> node.write().refused());
    subnet.heal();
    trial.awaitLeaderAfter(epoch);

    assertThat(trial.stopAndCheck().leaders()).hasSize(2).startsWith(old.name());
  }

  private void afflict(ServiceJvm node, Fault fault) {
    String member = QuorumCluster.member(node);
    for (String other : quorum.others(member)) {
      if (fault.deaf) {
        subnet.cut(other, member);
      }
      if (fault.mute) {
        subnet.cut(member, other);
      }
    }
  }

  private static void awaitFreshHeartbeat(ServiceJvm follower, ServiceJvm leader) {
    QuorumCluster.awaitFollows(follower, leader);
    Awaitility.await("fresh heartbeat")
        .atMost(TIMEOUT)
        .until(() -> heartbeatAgeMillis(follower) < LEASE.toMillis());
  }

  private static long heartbeatAgeMillis(ServiceJvm follower)
      throws IOException, InterruptedException {
    return follower.status().election().path("heartbeatAgeMillis").asLong();
  }
}

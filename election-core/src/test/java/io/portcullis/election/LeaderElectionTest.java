package io.portcullis.election;

import static io.portcullis.election.ElectionNodes.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.portcullis.election.LeaderElection.LeaderScope;
import io.portcullis.election.machine.LossReason;
import io.portcullis.election.machine.RoleName;
import io.portcullis.election.machine.WithdrawalReasons.WithdrawalReason;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LeaderElectionTest {
  private final ElectionNodes nodes = new ElectionNodes();

  @AfterEach
  void closeAll() {
    nodes.close();
  }

  @Test
  void exactlyOneOfManyLeadsAndAllKnowIt() throws Exception {
    List<LeaderElection> all =
        IntStream.range(0, 8).mapToObj(i -> nodes.node("node-" + i)).toList();

    all.forEach(LeaderElection::start);

    await().atMost(LONG).until(() -> all.stream().filter(LeaderElection::isLeader).count() == 1);
    LeaderElection leader = all.stream().filter(LeaderElection::isLeader).findFirst().orElseThrow();
    String name = leader.config().identity();
    await()
        .atMost(LONG)
        .until(() -> all.stream().allMatch(node -> node.leader().equals(Optional.of(name))));
    assertThat(all).allSatisfy(node -> assertThat(node.epoch()).isEqualTo(leader.epoch()));
    assertThat(leader.role()).isEqualTo(RoleName.LEADER);
  }

  @Test
  void closeHandsOverWithoutWaitingForTheLease() throws Exception {
    LeaderElection first = nodes.node("first");
    first.start();
    assertThat(first.awaitLeadership(LONG)).isTrue();
    LeaderElection second = nodes.node("second");
    second.start();
    long epoch = first.epoch();

    first.close();

    assertThat(first.isLeader()).isFalse();
    assertThat(second.awaitLeadership(LONG)).isTrue();
    assertThat(second.epoch()).isGreaterThan(epoch);
  }

  @Test
  void rejoinedNodeNoLongerReportsDrained() throws Exception {
    LeaderElection leader = nodes.node("leader");
    leader.start();
    leader.awaitLeadership(LONG);
    LeaderElection node = nodes.node("drained");
    node.start();
    node.withdraw(WithdrawalReason.DRAINED, Duration.ZERO);
    await().atMost(LONG).until(() -> node.role() == RoleName.DRAINED);

    node.rejoin(WithdrawalReason.DRAINED);

    await().atMost(LONG).until(() -> node.role() != RoleName.DRAINED);
    assertThat(node.status().why()).isEqualTo("takes part again");
  }

  @Test
  void endedTenureStaysInvalid() throws Exception {
    LeaderElection node = nodes.node("only");
    node.start();
    node.awaitLeadership(LONG);
    Tenure tenure = node.requireLeader();
    assertThat(tenure.isValid()).isTrue();
    node.ensureEpoch(tenure.epoch());

    node.withdraw(WithdrawalReason.DRAINED, Duration.ZERO);
    await().atMost(LONG).until(() -> node.role() == RoleName.DRAINED);
    assertThat(tenure.isValid()).isFalse();
    node.rejoin(WithdrawalReason.DRAINED);
    assertThat(node.awaitLeadership(LONG)).isTrue();

    assertThat(tenure.isValid()).isFalse();
    assertThatThrownBy(tenure::ensureValid)
        .isInstanceOf(NotLeadingException.class)
        .hasMessageContaining("epoch " + tenure.epoch() + " is over");
    assertThatThrownBy(() -> node.ensureEpoch(tenure.epoch()))
        .isInstanceOf(NotLeadingException.class);
    assertThat(node.requireLeader().epoch()).isGreaterThan(tenure.epoch());
  }

  @Test
  void handoverWaitsForAdmittedWork() throws Exception {
    LeaderElection node = nodes.node("only");
    assertThatThrownBy(node::enter)
        .isInstanceOf(NotLeadingException.class)
        .hasMessageContaining("not started");
    node.start();
    node.awaitLeadership(LONG);
    LeaderElection next = nodes.node("next");
    next.start();

    try (LeaderScope pass = node.enter()) {
      assertThat(pass.epoch()).isEqualTo(node.epoch());
      node.stepDown();
      await().atMost(LONG).until(() -> !node.isLeader());
      assertThatThrownBy(pass::ensureValid).isInstanceOf(NotLeadingException.class);
      assertThatThrownBy(node::enter).isInstanceOf(NotLeadingException.class);
      assertThat(next.awaitLeadership(Duration.ofMillis(300))).isFalse();
    }

    assertThat(next.awaitLeadership(LONG)).isTrue();
  }

  @Test
  void invalidCommandsThrowInTheCaller() {
    LeaderElection node = nodes.node("only");

    assertThatThrownBy(() -> node.withdraw(WithdrawalReason.DRAINED, Duration.ofDays(400)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("drain");
    node.close();
    for (int i = 0; i < 3_000; i++) {
      node.stepDown();
    }
    node.start();
    assertThat(node.role()).isEqualTo(RoleName.OFF);
    assertThatThrownBy(node::requireLeader).hasMessageContaining("takes no part: closed");
  }

  @Test
  void onceLeadsOrReturnsIfAnotherLeads() throws Exception {
    try (LeaderElection first =
        LeaderElection.once(ElectionNodes.config("first"), nodes.connect(), LONG)) {
      assertThat(first.isLeader()).isTrue();
      try (LeaderElection second =
          LeaderElection.once(ElectionNodes.config("second"), nodes.connect(), LONG)) {
        assertThat(second.isLeader()).isFalse();
        assertThatThrownBy(second::requireLeader)
            .isInstanceOf(NotLeadingException.class)
            .hasMessageContaining("first leads");

        first.withdraw(WithdrawalReason.DRAINED, Duration.ZERO);
        await().atMost(LONG).until(() -> second.leader().isEmpty());

        assertThat(second.awaitLeadership(Duration.ofMillis(200))).isFalse();
      }
    }
  }

  @Test
  void startAndCloseAreThreadSafe() throws Exception {
    for (int round = 0; round < 20; round++) {
      LeaderElection node = nodes.node("node-" + round);
      ExecutorService threads = Executors.newFixedThreadPool(16);
      CountDownLatch go = new CountDownLatch(1);
      for (int i = 0; i < 16; i++) {
        Runnable what = i % 2 == 0 ? node::start : node::close;
        threads.execute(
            () -> {
              ElectionNodes.awaitQuietly(go);
              what.run();
            });
      }
      go.countDown();
      threads.shutdown();
      assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();

      node.close();

      assertThat(node.isLeader()).isFalse();
      await().atMost(LONG).until(() -> !node.status().engine().running());
      assertThat(node.status().engine().failure()).isNull();
    }
    LeaderElection last = nodes.node("last");
    last.start();
    assertThat(last.awaitLeadership(LONG)).as("nobody left the lease behind").isTrue();
  }

  @Test
  void identitiesAreUnique() {
    assertThat(NodeIdentity.unique("a")).startsWith("a-").isNotEqualTo(NodeIdentity.unique("a"));
  }

  @Test
  void metricsCountTransitionsAndRequests() throws Exception {
    LeaderElection node = nodes.node("only");
    node.start();
    node.awaitLeadership(LONG);
    await().atMost(LONG).until(() -> node.metrics().counts().renew().last() != null);

    ElectionMetrics metrics = node.metrics();

    assertThat(metrics.role()).isEqualTo(RoleName.LEADER);
    assertThat(metrics.leader()).isEqualTo("only");
    assertThat(metrics.epoch()).isEqualTo(node.epoch());
    assertThat(metrics.leaseRemaining()).isPositive();
    assertThat(metrics.heartbeatAge()).isNotNull();
    assertThat(metrics.counts().elections()).isEqualTo(1);
    assertThat(metrics.counts().acquired()).isEqualTo(1);
    assertThat(metrics.counts().convergence().last()).isNotNull();

    node.close();

    assertThat(node.metrics().counts().lost()).containsEntry(LossReason.STOPPED, 1L);
    assertThat(node.metrics().leaseRemaining()).isZero();
  }
}

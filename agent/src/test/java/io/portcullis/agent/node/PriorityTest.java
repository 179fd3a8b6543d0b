package io.portcullis.agent.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.election.inprocess.InProcessLease;
import io.portcullis.election.machine.LossReason;
import io.portcullis.election.machine.RoleName;
import io.portcullis.election.machine.WithdrawalReasons.WithdrawalReason;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Participants of which one would rather lead. */
class PriorityTest {
  private final InProcessLease lease = new InProcessLease();

  private static void awaitRole(NodeFixture member, RoleName role) {
    await().atMost(NodeFixture.LONG).until(() -> member.participant().view().role() == role);
  }

  /** What comes of it when both have minded their priorities at these seconds of the standby's. */
  private static void mind(NodeFixture standby, NodeFixture leader, long... seconds) {
    long start = System.nanoTime();
    for (long second : seconds) {
      standby.participant().mindPriority(start + TimeUnit.SECONDS.toNanos(second));
      leader.participant().mindPriority(System.nanoTime() + TimeUnit.SECONDS.toNanos(1));
    }
  }

  @Test
  void healthyStandbyOfHigherPriorityGetsLeadership() {
    try (NodeFixture leader = NodeFixture.on(lease);
        NodeFixture preferred =
            joined(leader, () -> NodeFixture.preferred(lease), RoleName.STANDBY)) {
      mind(preferred, leader, 0, 59);
      assertKeepsLeading(leader);

      mind(preferred, leader, 0, 60, 61);

      awaitRole(preferred, RoleName.LEADER);
      assertThat(leader.gate().isOpen()).isFalse();
      assertThat(leader.participant().view().counts().lost())
          .containsOnlyKeys(LossReason.STEPPED_DOWN);
    }
  }

  @Test
  void aStandbyOfHigherPriorityThatIsNotEligibleDoesNotAsk() {
    try (NodeFixture leader = NodeFixture.on(lease);
        NodeFixture preferred =
            joined(
                leader,
                () -> NodeFixture.preferred(lease, WithdrawalReason.INELIGIBLE),
                RoleName.INELIGIBLE)) {
      mind(preferred, leader, 0, 60, 120, 600);

      assertKeepsLeading(leader);
    }
  }

  @Test
  void aStandbyOfTheSamePriorityDoesNotAsk() {
    try (NodeFixture leader = NodeFixture.on(lease);
        NodeFixture other = joined(leader, () -> NodeFixture.on(lease), RoleName.STANDBY)) {
      mind(other, leader, 0, 60, 120, 600);

      assertKeepsLeading(leader);
    }
  }

  private static NodeFixture joined(NodeFixture leader, Supplier<NodeFixture> late, RoleName role) {
    awaitRole(leader, RoleName.LEADER);
    NodeFixture joined = late.get();
    awaitRole(joined, role);
    return joined;
  }

  private static void assertKeepsLeading(NodeFixture leader) {
    await()
        .during(Duration.ofMillis(300))
        .atMost(NodeFixture.LONG)
        .until(() -> leader.participant().view().role() == RoleName.LEADER);
    assertThat(leader.participant().view().counts().lost()).isEmpty();
  }
}

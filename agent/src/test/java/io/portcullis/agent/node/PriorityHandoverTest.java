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

/** Tests participants of which one has a higher priority. */
class PriorityHandoverTest {
  private final InProcessLease lease = new InProcessLease();

  private static void awaitRole(ParticipantFixture member, RoleName role) {
    await().atMost(ParticipantFixture.LONG).until(() -> member.view().leadership().role() == role);
  }

  /** Lets both apply their priorities, the standby at these seconds of its clock. */
  private static void applyPriorities(
      ParticipantFixture standby, ParticipantFixture leader, long... seconds) {
    long start = System.nanoTime();
    for (long second : seconds) {
      standby.participant().applyPriority(start + TimeUnit.SECONDS.toNanos(second));
      leader.participant().applyPriority(System.nanoTime() + TimeUnit.SECONDS.toNanos(1));
    }
  }

  @Test
  void healthyStandbyOfHigherPriorityGetsLeadership() {
    try (ParticipantFixture leader = ParticipantFixture.on(lease);
        ParticipantFixture preferred =
            joined(leader, () -> ParticipantFixture.preferred(lease), RoleName.STANDBY)) {
      applyPriorities(preferred, leader, 0, 59);
      assertKeepsLeading(leader);

      applyPriorities(preferred, leader, 0, 60, 61);

      awaitRole(preferred, RoleName.LEADER);
      assertThat(leader.gate().isOpen()).isFalse();
      assertThat(leader.view().activity().counts().lost())
          .containsOnlyKeys(LossReason.STEPPED_DOWN);
    }
  }

  @Test
  void ineligibleStandbyOfHigherPriorityRequestsNothing() {
    try (ParticipantFixture leader = ParticipantFixture.on(lease);
        ParticipantFixture preferred =
            joined(
                leader,
                () -> ParticipantFixture.preferred(lease, WithdrawalReason.INELIGIBLE),
                RoleName.INELIGIBLE)) {
      applyPriorities(preferred, leader, 0, 60, 120, 600);

      assertKeepsLeading(leader);
    }
  }

  @Test
  void standbyOfTheSamePriorityRequestsNothing() {
    try (ParticipantFixture leader = ParticipantFixture.on(lease);
        ParticipantFixture other =
            joined(leader, () -> ParticipantFixture.on(lease), RoleName.STANDBY)) {
      applyPriorities(other, leader, 0, 60, 120, 600);

      assertKeepsLeading(leader);
    }
  }

  private static ParticipantFixture joined(
      ParticipantFixture leader, Supplier<ParticipantFixture> late, RoleName role) {
    awaitRole(leader, RoleName.LEADER);
    ParticipantFixture joined = late.get();
    awaitRole(joined, role);
    return joined;
  }

  private static void assertKeepsLeading(ParticipantFixture leader) {
    await()
        .during(Duration.ofMillis(300))
        .atMost(ParticipantFixture.LONG)
        .until(() -> leader.view().leadership().role() == RoleName.LEADER);
    assertThat(leader.view().activity().counts().lost()).isEmpty();
  }
}

package io.portcullis.agent.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.election.inprocess.InProcessLease;
import io.portcullis.election.machine.Absence;
import io.portcullis.election.machine.Ending;
import io.portcullis.election.machine.RoleName;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Participants of which one would rather lead. */
class PriorityTest {
  private final InProcessLease lease = new InProcessLease();

  private static void awaitRole(Member member, RoleName role) {
    await().atMost(Member.LONG).until(() -> member.participant().view().role() == role);
  }

  /** What comes of it when both have minded their priorities at these seconds of the standby's. */
  private static void mind(Member standby, Member leader, long... seconds) {
    long start = System.nanoTime();
    for (long second : seconds) {
      standby.participant().mindPriority(start + TimeUnit.SECONDS.toNanos(second));
      leader.participant().mindPriority(System.nanoTime() + TimeUnit.SECONDS.toNanos(1));
    }
  }

  @Test
  void aStandbyOfHigherPriorityIsGivenTheLeadershipOnceItHasBeenWellForAMinute() {
    try (Member leader = Member.on(lease);
        Member preferred = joined(leader, () -> Member.preferred(lease), RoleName.STANDBY)) {
      mind(preferred, leader, 0, 59);
      assertKeepsLeading(leader);

      mind(preferred, leader, 0, 60, 61);

      awaitRole(preferred, RoleName.LEADER);
      assertThat(leader.gate().isOpen()).isFalse();
      assertThat(leader.participant().view().counts().lost()).containsOnlyKeys(Ending.STEPPED_DOWN);
    }
  }

  @Test
  void aStandbyOfHigherPriorityThatIsNotEligibleDoesNotAsk() {
    try (Member leader = Member.on(lease);
        Member preferred =
            joined(
                leader, () -> Member.preferred(lease, Absence.INELIGIBLE), RoleName.INELIGIBLE)) {
      mind(preferred, leader, 0, 60, 120, 600);

      assertKeepsLeading(leader);
    }
  }

  @Test
  void aStandbyOfTheSamePriorityDoesNotAsk() {
    try (Member leader = Member.on(lease);
        Member other = joined(leader, () -> Member.on(lease), RoleName.STANDBY)) {
      mind(other, leader, 0, 60, 120, 600);

      assertKeepsLeading(leader);
    }
  }

  private static Member joined(Member leader, Supplier<Member> late, RoleName role) {
    awaitRole(leader, RoleName.LEADER);
    Member joined = late.get();
    awaitRole(joined, role);
    return joined;
  }

  private static void assertKeepsLeading(Member leader) {
    await()
        .during(Duration.ofMillis(300))
        .atMost(Member.LONG)
        .until(() -> leader.participant().view().role() == RoleName.LEADER);
    assertThat(leader.participant().view().counts().lost()).isEmpty();
  }
}

package io.portcullis.agent.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.election.inprocess.InProcessLease;
import io.portcullis.election.machine.RoleName;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests a node with very many transitions. */
class TransitionHistoryMemoryTest {
  private static final int TURNS = 2_000;
  private static final int TRANSITIONS_A_TURN = 3;
  private static final int REMEMBERED = 200;

  /** Detects a leak of more than about 350 bytes per transition. */
  private static final long MAX_GROWTH_BYTES = 2 * 1024 * 1024;

  @Test
  void memoryStaysConstantAfterTenThousandTransitions() {
    try (ParticipantFixture member = ParticipantFixture.on(new InProcessLease())) {
      awaitRole(member, RoleName.LEADER);
      turn(member, TURNS);
      long before = usedHeap();

      turn(member, TURNS);

      assertThat(2 * TURNS * TRANSITIONS_A_TURN).isGreaterThan(10_000);
      assertThat(member.view().activity().counts().acquired()).isGreaterThan(2 * TURNS);
      assertThat(member.transitions().all()).hasSize(REMEMBERED);
      assertThat(usedHeap() - before).isLessThan(MAX_GROWTH_BYTES);
    }
  }

  /** Releases the lease and acquires it again. */
  private static void turn(ParticipantFixture member, int times) {
    for (int i = 0; i < times; i++) {
      member.participant().drain(Duration.ZERO);
      awaitRole(member, RoleName.DRAINED);
      member.participant().resume();
      awaitRole(member, RoleName.LEADER);
    }
  }

  private static void awaitRole(ParticipantFixture member, RoleName role) {
    await()
        .atMost(ParticipantFixture.LONG)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .until(() -> member.view().leadership().role() == role);
  }

  private static long usedHeap() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      System.gc();
      least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }
    return least;
  }
}

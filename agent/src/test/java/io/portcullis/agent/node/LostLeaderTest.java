package io.portcullis.agent.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.agent.node.TransitionHistory.Transition;
import io.portcullis.election.inprocess.InProcessLease;
import io.portcullis.election.machine.RoleName;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that a node which no longer knows a leader records it. */
class LostLeaderTest {
  private final InProcessLease lease = new InProcessLease();

  @Test
  void lostLeaderIsRecordedOnce() {
    try (ParticipantFixture follower = ParticipantFixture.notReady(lease)) {
      try (ParticipantFixture leader = ParticipantFixture.on(lease)) {
        await()
            .atMost(ParticipantFixture.LONG)
            .until(() -> leader.view().leadership().role() == RoleName.LEADER);
        await().atMost(ParticipantFixture.LONG).until(() -> !transitions(follower).isEmpty());
        follower.participant().poll(System.nanoTime());
        assertThat(transitions(follower)).containsExactly("new leader");
      }

      await()
          .atMost(ParticipantFixture.LONG)
          .until(
              () -> {
                follower.participant().poll(System.nanoTime());
                return transitions(follower).contains("no known leader");
              });
      follower.participant().poll(System.nanoTime());
      assertThat(transitions(follower)).containsExactly("new leader", "no known leader");
    }
  }

  private static List<String> transitions(ParticipantFixture member) {
    return member.transitions().recent().stream().map(Transition::what).toList();
  }
}

package io.portcullis.agent.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.agent.node.TransitionHistory.Transition;
import io.portcullis.election.inprocess.InProcessLease;
import io.portcullis.election.machine.RoleName;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
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

  @Test
  void leaderThatIsKnownAgainIsRecordedOnce() {
    SilenceableStore store = new SilenceableStore(lease.connect());
    try (ParticipantFixture leader = ParticipantFixture.on(lease)) {
      await()
          .atMost(ParticipantFixture.LONG)
          .until(() -> leader.view().leadership().role() == RoleName.LEADER);
      try (ParticipantFixture follower = ParticipantFixture.missingSoon(store)) {
        awaitTransitions(follower, "new leader");

        store.silent = true;
        awaitTransitions(follower, "new leader", "no known leader");
        store.silent = false;

        awaitTransitions(follower, "new leader", "no known leader", "new leader");
        follower.participant().poll(System.nanoTime());
        assertThat(transitions(follower)).hasSize(3);
      }
    }
  }

  private static void awaitTransitions(ParticipantFixture member, String... expected) {
    await()
        .atMost(ParticipantFixture.LONG)
        .untilAsserted(
            () -> {
              member.participant().poll(System.nanoTime());
              assertThat(transitions(member)).containsExactly(expected);
            });
  }

  /** A store that can be made to respond nothing that helps. */
  private static final class SilenceableStore implements LeaseStore {
    private final LeaseStore store;
    private volatile boolean silent;

    SilenceableStore(LeaseStore store) {
      this.store = store;
    }

    @Override
    public CompletionStage<LeaseResponse> ask(LeaseRequest request) {
      return silent
          ? CompletableFuture.completedFuture(new LeaseResponse.Unknown("silent"))
          : store.ask(request);
    }

    @Override
    public void close() {
      store.close();
    }
  }

  private static List<String> transitions(ParticipantFixture member) {
    return member.transitions().recent().stream().map(Transition::what).toList();
  }
}

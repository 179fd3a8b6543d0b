package io.portcullis.election;

import static io.portcullis.election.ElectionNodes.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.election.machine.RoleName;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseStore;
import io.portcullis.election.store.RecordVersion;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests a standby whose store showed a leader once and then responds no more. */
class SilentStoreTest {
  private static final Duration LEFT = Duration.ofMillis(1500);
  private static final LeaseResponse HELD =
      new LeaseResponse.HeldByOther(
          new LeaseRecord(
              new RecordVersion("incarnation", "b-990-11aa", 7, "v1"), null, LEFT, LEFT, false));

  private final ElectionNodes nodes = new ElectionNodes();
  private volatile LeaseResponse answer = HELD;

  @AfterEach
  void closeAll() {
    nodes.close();
  }

  private final class ScriptedStore implements LeaseStore {
    @Override
    public CompletionStage<LeaseResponse> ask(LeaseRequest request) {
      return CompletableFuture.completedFuture(answer);
    }

    @Override
    public void close() {}
  }

  private LeaderElection standby() {
    LeaderElection node = nodes.node(new ScriptedStore());
    node.start();
    await().atMost(LONG).until(() -> node.role() == RoleName.STANDBY);
    answer = new LeaseResponse.Unknown("no route");
    return node;
  }

  @Test
  void nodeIsCandidateWhenNoLeaderIsKnown() {
    LeaderElection node = standby();

    await().atMost(LONG).until(() -> node.leader().isEmpty());

    assertThat(node.role()).isEqualTo(RoleName.CANDIDATE);
    await().atMost(LONG).until(() -> node.status().role() == RoleName.CANDIDATE);
    assertThat(node.status().explanation()).isEqualTo("the store does not respond: no route");
  }

  @Test
  void convergenceIsMeasuredFromTheEndOfTheRecord() {
    long began = System.nanoTime();
    LeaderElection node = standby();
    await().atMost(LONG).until(() -> node.leader().isEmpty());

    answer = new LeaseResponse.Granted(8, "incarnation");
    await().atMost(LONG).until(node::isLeader);

    long most = System.nanoTime() - began - LEFT.toNanos();
    assertThat(node.metrics().counts().convergence().last())
        .isLessThanOrEqualTo(Duration.ofNanos(most));
  }
}

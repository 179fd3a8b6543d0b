package io.portcullis.election;

import static io.portcullis.election.ElectionNodes.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.election.machine.Leader;
import io.portcullis.election.machine.RoleName;
import io.portcullis.election.machine.WithdrawalReasons.WithdrawalReason;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ListenersTest {
  private final ElectionNodes nodes = new ElectionNodes();

  @AfterEach
  void closeAll() {
    nodes.close();
  }

  @Test
  void listenersReceiveAllEventsInOrder() throws Exception {
    Queue<String> events = new ConcurrentLinkedQueue<>();
    LeaderElection first = nodes.node("first");
    first.addListener(ElectionNodes.recording("first", events));
    first.start();
    first.awaitLeadership(LONG);
    LeaderElection second = nodes.node("second");
    second.addListener(ElectionNodes.recording("second", events));
    second.start();
    await().atMost(LONG).until(() -> events.contains("second: new leader first"));

    first.close();
    second.awaitLeadership(LONG);
    second.close();

    assertThat(events.stream().filter(line -> line.startsWith("first: ")))
        .containsExactly(
            "first: started true", "first: new leader first", "first: stopped STOPPED");
    assertThat(events.stream().filter(line -> line.startsWith("second: ")))
        .containsExactly(
            "second: new leader first",
            "second: started true",
            "second: new leader second",
            "second: stopped STOPPED");
  }

  @Test
  void hangingListenerDoesNotDelayTheElection() throws Exception {
    CountDownLatch hanging = new CountDownLatch(1);
    LeaderElection node = nodes.node("only");
    node.addListener(
        new ElectionListener() {
          @Override
          public void startedLeading(Tenure tenure) {
            throw new IllegalStateException("listener failed");
          }

          @Override
          public void newLeader(Leader leader) {
            ElectionNodes.awaitQuietly(hanging);
          }
        });
    node.start();
    assertThat(node.awaitLeadership(LONG)).isTrue();

    node.withdraw(WithdrawalReason.DRAINED, Duration.ZERO);

    await().atMost(LONG).until(() -> node.role() == RoleName.DRAINED && !node.isLeader());
    hanging.countDown();
  }

  @Test
  void throwingListenerDoesNotAffectOtherListeners() throws Exception {
    Queue<String> events = new ConcurrentLinkedQueue<>();
    LeaderElection node = nodes.node("only");
    node.addListener(
        new ElectionListener() {
          @Override
          public void startedLeading(Tenure tenure) {
            throw new IllegalStateException("listener failed");
          }
        });
    node.addListener(ElectionNodes.recording("second", events));

    node.start();

    await().atMost(LONG).until(() -> events.contains("second: started true"));
  }
}

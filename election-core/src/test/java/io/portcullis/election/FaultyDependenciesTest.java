package io.portcullis.election;

import static io.portcullis.election.ElectionNodes.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.portcullis.election.engine.GateControl;
import io.portcullis.election.machine.Grant;
import io.portcullis.election.machine.LossReason;
import io.portcullis.election.machine.RoleName;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseStore;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests stores and gates that violate their contract. */
class FaultyDependenciesTest {
  private final ElectionNodes nodes = new ElectionNodes();

  @AfterEach
  void closeAll() {
    nodes.close();
  }

  @Test
  void gateShutsAndCallsEndBeforeRelease() throws Exception {
    AtomicLong calls = new AtomicLong(1);
    Queue<String> order = new ConcurrentLinkedQueue<>();
    LeaseStore inner = nodes.connect();
    LeaseStore watched =
        new LeaseStore() {
          @Override
          public CompletionStage<LeaseResponse> ask(LeaseRequest request) {
            order.add(request.getClass().getSimpleName());
            return inner.ask(request);
          }

          @Override
          public void close() {
            inner.close();
          }
        };
    GateControl gateControl =
        new GateControl() {
          @Override
          public void open(Grant grant) {
            order.add("open");
          }

          @Override
          public void shut() {
            order.add("shut");
          }

          @Override
          public long callsInFlight() {
            return calls.get();
          }
        };
    LeaderElection node = nodes.node(watched, gateControl);
    node.start();
    node.awaitLeadership(LONG);

    node.stepDown();
    await().atMost(LONG).until(() -> order.contains("shut"));
    await().atMost(LONG).until(() -> Collections.frequency(order, "Renew") > 2);
    assertThat(order).doesNotContain("Release");
    calls.set(0);

    await().atMost(LONG).until(() -> order.contains("Release"));
    assertThat(List.copyOf(order).indexOf("shut"))
        .isLessThan(List.copyOf(order).indexOf("Release"));
  }

  @Test
  void failingStoreIsUnknownAndTheNodeKeepsTrying() throws Exception {
    Queue<String> asked = new ConcurrentLinkedQueue<>();
    LeaseStore inner = nodes.connect();
    LeaseStore moody =
        new LeaseStore() {
          @Override
          public CompletionStage<LeaseResponse> ask(LeaseRequest request) {
            asked.add("asked");
            return switch (asked.size()) {
              case 1 -> throw new IllegalStateException("no connection");
              case 2 -> CompletableFuture.failedFuture(new IllegalStateException("broken pipe"));
              case 3 -> new CompletableFuture<>();
              default -> inner.ask(request);
            };
          }

          @Override
          public void close() {
            inner.close();
          }
        };
    LeaderElection node = nodes.node(moody);

    node.start();

    assertThat(node.awaitLeadership(LONG)).isTrue();
    assertThat(node.metrics().counts().attempts())
        .containsEntry("unknown", 2L)
        .containsEntry("granted", 1L);
  }

  @Test
  void exceptionOfTheGateEndsLeadershipAndIsShown() {
    GateControl broken =
        new GateControl() {
          @Override
          public void open(Grant grant) {
            throw new AssertionError("planted");
          }

          @Override
          public void shut() {}

          @Override
          public long callsInFlight() {
            return 0;
          }
        };
    LeaderElection node = nodes.node(nodes.connect(), broken);

    node.start();

    await().atMost(LONG).until(() -> node.status().engine().failure() != null);
    assertThat(node.isLeader()).isFalse();
    assertThat(node.role()).isEqualTo(RoleName.OFF);
  }

  @Test
  void exceptionWhileLeadingNotifiesListeners() throws Exception {
    Queue<String> events = new ConcurrentLinkedQueue<>();
    AtomicLong opened = new AtomicLong();
    GateControl breaking =
        new GateControl() {
          @Override
          public void open(Grant grant) {
            if (opened.incrementAndGet() > 1) {
              throw new AssertionError("planted");
            }
          }

          @Override
          public void shut() {}

          @Override
          public long callsInFlight() {
            return 0;
          }
        };
    LeaderElection node = nodes.node(nodes.connect(), breaking);
    node.addListener(ElectionNodes.recording("only", events));

    node.start();

    await().atMost(LONG).until(() -> events.contains("only: stopped FAILED"));
    assertThat(node.metrics().counts().lost()).containsEntry(LossReason.FAILED, 1L);
    assertThatThrownBy(node::requireLeader).hasMessageContaining("ended by an error");
  }

  @Test
  void unreachableStoreIsReportedUntilItResponds() {
    LeaseStore inner = nodes.connect();
    AtomicBoolean broken = new AtomicBoolean(true);
    LeaseStore faulty =
        new LeaseStore() {
          @Override
          public CompletionStage<LeaseResponse> ask(LeaseRequest request) {
            return broken.get()
                ? CompletableFuture.completedFuture(
                    new LeaseResponse.Unknown("no route to the store"))
                : inner.ask(request);
          }

          @Override
          public void close() {
            inner.close();
          }
        };
    LeaderElection node = nodes.node(faulty);
    node.start();

    await()
        .atMost(LONG)
        .until(() -> "no route to the store".equals(node.status().store().problem()));
    assertThat(node.status().store().answered()).isFalse();
    broken.set(false);

    await().atMost(LONG).until(node::isLeader);
    assertThat(node.status().store().problem()).isNull();
  }

  @Test
  void silentStoreIsReported() {
    LeaseStore silent =
        new LeaseStore() {
          @Override
          public CompletionStage<LeaseResponse> ask(LeaseRequest request) {
            return new CompletableFuture<>();
          }

          @Override
          public void close() {}
        };
    LeaderElection node = nodes.node(silent);
    node.start();

    await()
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(node.status().store().problem())
                    .isNotNull()
                    .startsWith("no response within"));
  }
}

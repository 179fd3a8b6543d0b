package io.portcullis.election;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.Pace;
import io.portcullis.election.config.Timing;
import io.portcullis.election.engine.Door;
import io.portcullis.election.inprocess.InProcessLease;
import io.portcullis.election.machine.Absence;
import io.portcullis.election.machine.Ending;
import io.portcullis.election.machine.Grant;
import io.portcullis.election.machine.Leader;
import io.portcullis.election.machine.RoleName;
import io.portcullis.election.store.Answer;
import io.portcullis.election.store.LeaseStore;
import io.portcullis.election.store.Request;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LeaderElectionTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  private final InProcessLease lease = new InProcessLease();
  private final Queue<LeaderElection> opened = new ConcurrentLinkedQueue<>();

  private static ElectionConfig config(String identity) {
    Timing timing =
        Timing.builder()
            .lease(Duration.ofSeconds(20))
            .renew(Duration.ofMillis(50))
            .whenHeld(Pace.steady(Duration.ofMillis(20), 0.2))
            .whenUnknown(Pace.steady(Duration.ofMillis(20), 0.2))
            .build();
    return new ElectionConfig("orders", "writer", identity, "http://" + identity, timing);
  }

  private LeaderElection node(String identity) {
    return node(new LeaderElection(config(identity), lease.connect()));
  }

  private LeaderElection node(LeaderElection election) {
    opened.add(election);
    return election;
  }

  @AfterEach
  void closeAll() {
    opened.forEach(LeaderElection::close);
  }

  @Test
  void oneOfManyLeadsAndAllKnowWho() throws Exception {
    List<LeaderElection> nodes = IntStream.range(0, 8).mapToObj(i -> node("node-" + i)).toList();

    nodes.forEach(LeaderElection::start);

    await().atMost(LONG).until(() -> nodes.stream().filter(LeaderElection::isLeader).count() == 1);
    LeaderElection leader =
        nodes.stream().filter(LeaderElection::isLeader).findFirst().orElseThrow();
    String name = leader.config().identity();
    await()
        .atMost(LONG)
        .until(() -> nodes.stream().allMatch(node -> node.leader().equals(Optional.of(name))));
    assertThat(nodes).allSatisfy(node -> assertThat(node.epoch()).isEqualTo(leader.epoch()));
    assertThat(leader.role()).isEqualTo(RoleName.LEADER);
  }

  @Test
  void closingHandsOverUnderAHigherEpochWithoutWaitingForTheLease() throws Exception {
    LeaderElection first = node("first");
    first.start();
    assertThat(first.awaitLeadership(LONG)).isTrue();
    LeaderElection second = node("second");
    second.start();
    long epoch = first.epoch();

    first.close();

    assertThat(first.isLeader()).isFalse();
    assertThat(second.awaitLeadership(Duration.ofSeconds(10))).isTrue();
    assertThat(second.epoch()).isGreaterThan(epoch);
  }

  @Test
  void aTenureTurnsInvalidWhenLeadershipEndsAndStaysSo() throws Exception {
    LeaderElection node = node("only");
    node.start();
    node.awaitLeadership(LONG);
    Tenure tenure = node.requireLeader();
    assertThat(tenure.isValid()).isTrue();
    node.ensureEpoch(tenure.epoch());

    node.withdraw(Absence.DRAINED, Duration.ZERO);
    await().atMost(LONG).until(() -> node.role() == RoleName.DRAINED);
    assertThat(tenure.isValid()).isFalse();
    node.rejoin(Absence.DRAINED);
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
  void listenersHearInOrderAndEveryNodeHearsOfEveryNewLeader() throws Exception {
    Queue<String> heard = new ConcurrentLinkedQueue<>();
    LeaderElection first = node("first");
    first.addListener(recording("first", heard));
    first.start();
    first.awaitLeadership(LONG);
    LeaderElection second = node("second");
    second.addListener(recording("second", heard));
    second.start();
    await().atMost(LONG).until(() -> heard.contains("second: new leader first"));

    first.close();
    second.awaitLeadership(LONG);
    second.close();

    assertThat(heard.stream().filter(line -> line.startsWith("first: ")))
        .containsExactly(
            "first: started true", "first: new leader first", "first: stopped STOPPED");
    assertThat(heard.stream().filter(line -> line.startsWith("second: ")))
        .containsExactly(
            "second: new leader first",
            "second: started true",
            "second: new leader second",
            "second: stopped STOPPED");
  }

  private static ElectionListener recording(String who, Queue<String> heard) {
    return new ElectionListener() {
      @Override
      public void startedLeading(Tenure tenure) {
        heard.add(who + ": started " + (tenure.epoch() > 0));
      }

      @Override
      public void stoppedLeading(long epoch, Ending ending, String why) {
        heard.add(who + ": stopped " + ending);
      }

      @Override
      public void newLeader(Leader leader) {
        heard.add(who + ": new leader " + leader.identity());
      }
    };
  }

  @Test
  void aListenerThatHangsOrThrowsHoldsUpNothingButItself() throws Exception {
    CountDownLatch hanging = new CountDownLatch(1);
    LeaderElection node = node("only");
    node.addListener(
        new ElectionListener() {
          @Override
          public void startedLeading(Tenure tenure) {
            throw new IllegalStateException("listener's own trouble");
          }

          @Override
          public void newLeader(Leader leader) {
            awaitQuietly(hanging);
          }
        });
    node.start();
    assertThat(node.awaitLeadership(LONG)).isTrue();

    node.withdraw(Absence.DRAINED, Duration.ZERO);

    await().atMost(LONG).until(() -> node.role() == RoleName.DRAINED && !node.isLeader());
    hanging.countDown();
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aListenerThatThrowsDoesNotRobTheOthers() throws Exception {
    Queue<String> heard = new ConcurrentLinkedQueue<>();
    LeaderElection node = node("only");
    node.addListener(
        new ElectionListener() {
          @Override
          public void startedLeading(Tenure tenure) {
            throw new IllegalStateException("listener's own trouble");
          }
        });
    node.addListener(recording("second", heard));

    node.start();

    await().atMost(LONG).until(() -> heard.contains("second: started true"));
  }

  @Test
  void handingOverWaitsForWorkThatWasLetIn() throws Exception {
    LeaderElection node = node("only");
    assertThatThrownBy(node::enter)
        .isInstanceOf(NotLeadingException.class)
        .hasMessageContaining("not started");
    node.start();
    node.awaitLeadership(LONG);
    LeaderElection next = node("next");
    next.start();

    try (Pass pass = node.enter()) {
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
  void ordersThatMakeNoSenseAreRefusedWhereTheyAreGiven() {
    LeaderElection node = node("only");

    assertThatThrownBy(() -> node.withdraw(Absence.DRAINED, Duration.ofDays(400)))
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
  void oneShotUseLeadsOrLeavesTheWorkToOthers() throws Exception {
    try (LeaderElection first = LeaderElection.once(config("first"), lease.connect(), LONG)) {
      assertThat(first.isLeader()).isTrue();
      try (LeaderElection second = LeaderElection.once(config("second"), lease.connect(), LONG)) {
        assertThat(second.isLeader()).isFalse();
        assertThatThrownBy(second::requireLeader)
            .isInstanceOf(NotLeadingException.class)
            .hasMessageContaining("first leads");

        first.withdraw(Absence.DRAINED, Duration.ZERO);
        await().atMost(LONG).until(() -> second.leader().isEmpty());

        assertThat(second.awaitLeadership(Duration.ofMillis(200))).isFalse();
      }
    }
  }

  @Test
  void startAndCloseFromManyThreadsAtOnceAreHarmless() throws Exception {
    for (int round = 0; round < 20; round++) {
      LeaderElection node = node("node-" + round);
      ExecutorService threads = Executors.newFixedThreadPool(16);
      CountDownLatch go = new CountDownLatch(1);
      for (int i = 0; i < 16; i++) {
        Runnable what = i % 2 == 0 ? node::start : node::close;
        threads.execute(
            () -> {
              awaitQuietly(go);
              what.run();
            });
      }
      go.countDown();
      threads.shutdown();
      assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();

      node.close();

      assertThat(node.isLeader()).isFalse();
      await().atMost(LONG).until(() -> !node.status().running());
      assertThat(node.status().failure()).isNull();
    }
    LeaderElection last = node("last");
    last.start();
    assertThat(last.awaitLeadership(LONG)).as("nobody left the lease behind").isTrue();
  }

  @Test
  void theDoorIsShutBeforeTheLeaseIsReleasedAndCallsAreWaitedFor() throws Exception {
    AtomicLong calls = new AtomicLong(1);
    Queue<String> order = new ConcurrentLinkedQueue<>();
    LeaseStore inner = lease.connect();
    LeaseStore watched =
        new LeaseStore() {
          @Override
          public CompletionStage<Answer> ask(Request request) {
            order.add(request.getClass().getSimpleName());
            return inner.ask(request);
          }

          @Override
          public void close() {
            inner.close();
          }
        };
    Door door =
        new Door() {
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
    LeaderElection node = node(new LeaderElection(config("only"), watched, door, Set.of()));
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
  void aStoreThatThrowsOrFailsOrNeverAnswersIsUnknownAndTheNodeKeepsTrying() throws Exception {
    Queue<String> asked = new ConcurrentLinkedQueue<>();
    LeaseStore inner = lease.connect();
    LeaseStore moody =
        new LeaseStore() {
          @Override
          public CompletionStage<Answer> ask(Request request) {
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
    LeaderElection node = node(new LeaderElection(config("only"), moody));

    node.start();

    assertThat(node.awaitLeadership(LONG)).isTrue();
    assertThat(node.metrics().counts().attempts())
        .containsEntry("unknown", 2L)
        .containsEntry("granted", 1L);
  }

  @Test
  void aBugInTheDoorShutsTheGateAndIsShown() {
    Door broken =
        new Door() {
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
    LeaderElection node =
        node(new LeaderElection(config("only"), lease.connect(), broken, Set.of()));

    node.start();

    await().atMost(LONG).until(() -> node.status().failure() != null);
    assertThat(node.isLeader()).isFalse();
    assertThat(node.role()).isEqualTo(RoleName.OFF);
  }

  @Test
  void aBugWhileLeadingIsHeardOfByListeners() throws Exception {
    Queue<String> heard = new ConcurrentLinkedQueue<>();
    AtomicLong opened = new AtomicLong();
    Door breaking =
        new Door() {
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
    LeaderElection node =
        node(new LeaderElection(config("only"), lease.connect(), breaking, Set.of()));
    node.addListener(recording("only", heard));

    node.start();

    await().atMost(LONG).until(() -> heard.contains("only: stopped FAILED"));
    assertThat(node.metrics().counts().lost()).containsEntry(Ending.FAILED, 1L);
    assertThatThrownBy(node::requireLeader).hasMessageContaining("ended by an error");
  }

  @Test
  void identitiesAreNeverTheSame() {
    assertThat(NodeIdentity.unique("a")).startsWith("a-").isNotEqualTo(NodeIdentity.unique("a"));
  }

  @Test
  void metricsTellTheStory() throws Exception {
    LeaderElection node = node("only");
    node.start();
    node.awaitLeadership(LONG);
    await().atMost(LONG).until(() -> node.metrics().counts().lastRenew() != null);

    ElectionMetrics metrics = node.metrics();

    assertThat(metrics.role()).isEqualTo(RoleName.LEADER);
    assertThat(metrics.leader()).isEqualTo("only");
    assertThat(metrics.epoch()).isEqualTo(node.epoch());
    assertThat(metrics.leaseRemaining()).isPositive();
    assertThat(metrics.heartbeatAge()).isNotNull();
    assertThat(metrics.counts().elections()).isEqualTo(1);
    assertThat(metrics.counts().acquired()).isEqualTo(1);
    assertThat(metrics.counts().lastConvergence()).isNotNull();

    node.close();

    assertThat(node.metrics().counts().lost()).containsEntry(Ending.STOPPED, 1L);
    assertThat(node.metrics().leaseRemaining()).isZero();
  }
}

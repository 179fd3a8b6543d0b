package io.portcullis.election.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.Timing;
import io.portcullis.election.machine.Command;
import io.portcullis.election.machine.Grant;
import io.portcullis.election.machine.RoleName;
import io.portcullis.election.machine.StepContext.ClockReading;
import io.portcullis.election.machine.WithdrawalReasons.WithdrawalReason;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseStore;
import io.portcullis.election.store.RecordVersion;
import io.portcullis.election.store.StoreFeatures.HintSource;
import io.portcullis.election.store.StoreFeatures.LeadershipObserver;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class EngineTest {
  private static final Duration LEASE = Duration.ofSeconds(30);

  /** Far longer than any step takes, so that a timeout shows that it never happens. */
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  private static final ElectionConfig CONFIG =
      new ElectionConfig(
          "orders",
          "writer",
          "self",
          null,
          Timing.builder().lease(LEASE).stale(LEASE.multipliedBy(2)).build());

  private final AtomicLong seconds = new AtomicLong(1_000);
  private final LinkedBlockingQueue<CompletableFuture<LeaseResponse>> asked =
      new LinkedBlockingQueue<>();
  private final LinkedBlockingQueue<Boolean> leadershipChanges = new LinkedBlockingQueue<>();
  private final LinkedBlockingQueue<String> gateEvents = new LinkedBlockingQueue<>();
  private final AtomicLong calls = new AtomicLong();
  private final Clocks clocks =
      () -> new ClockReading(TimeUnit.SECONDS.toNanos(seconds.get()), seconds.get() * 1000);
  private final Engine engine =
      new Engine(
          CONFIG, new HeldStore(), new RecordingGateControl(), clocks, Set.of(), event -> {});

  /** A store that responds when the test completes the response. */
  private final class HeldStore implements LeaseStore, HintSource, LeadershipObserver {
    @Override
    public CompletionStage<LeaseResponse> ask(LeaseRequest request) {
      CompletableFuture<LeaseResponse> answer = new CompletableFuture<>();
      asked.add(answer);
      return answer;
    }

    @Override
    public void leadershipChanged(boolean now) {
      leadershipChanges.add(now);
    }

    @Override
    public void onHint(Runnable wake) {
      throw new IllegalStateException("no subscription");
    }

    @Override
    public void close() {}
  }

  private final class RecordingGateControl implements GateControl {
    @Override
    public void open(Grant grant) {
      gateEvents.add("open");
    }

    @Override
    public void shut() {
      gateEvents.add("shut");
    }

    @Override
    public void abandonCalls() {
      gateEvents.add("abandon");
    }

    @Override
    public long callsInFlight() {
      return calls.get();
    }
  }

  @Test
  void observedRecordIsTimedFromItsArrival() throws Exception {
    engine.start();
    CompletableFuture<LeaseResponse> answer = nextAsked();

    seconds.addAndGet(1);
    answer.complete(heldByOther("v1"));

    Status status = engine.await(it -> it.leadership().leader() != null, TIMEOUT);
    assertThat(status.leadership().untilNanos())
        .isEqualTo(TimeUnit.SECONDS.toNanos(1_001 + LEASE.toSeconds()));
    engine.stop(Duration.ZERO);
  }

  @Test
  void lateResponseDoesNotMakeTheNodeReady() throws Exception {
    engine.start();
    CompletableFuture<LeaseResponse> late = nextAsked();
    seconds.addAndGet(LEASE.toSeconds());
    late.complete(heldByOther("v1")); // Overdue, and usually no step has detected it yet.
    awaitStep();
    assertThat(engine.status().store().answered()).isFalse();
    assertThat(engine.status().leadership().leader()).isNull();

    seconds.addAndGet(LEASE.toSeconds());
    nextAsked().complete(heldByOther("v2"));
    assertThat(engine.await(it -> it.store().answered(), TIMEOUT).leadership().leader())
        .isNotNull();
    engine.stop(Duration.ZERO);
  }

  @Test
  void responseToAbandonedRequestDoesNotMakeReady() throws Exception {
    engine.start();
    CompletableFuture<LeaseResponse> abandoned = nextAsked();
    seconds.addAndGet(LEASE.toSeconds());
    awaitStep();
    seconds.addAndGet(LEASE.toSeconds());
    CompletableFuture<LeaseResponse> next = nextAsked();

    abandoned.complete(heldByOther("v1"));
    awaitStep();
    assertThat(engine.status().store().answered()).isFalse();

    next.complete(heldByOther("v2"));
    assertThat(engine.await(it -> it.store().answered(), TIMEOUT).leadership().leader())
        .isNotNull();
    engine.stop(Duration.ZERO);
  }

  @Test
  void staleLeaderIsFlaggedUntilItsNextHeartbeat() throws Exception {
    engine.start();
    nextAsked().complete(heldByOther("v1"));
    engine.await(it -> it.leadership().leader() != null, TIMEOUT);
    assertThat(engine.status().store().stale()).isFalse();

    seconds.addAndGet(LEASE.toSeconds() * 2 + 1);
    assertThat(engine.await(it -> it.store().stale(), TIMEOUT).store().stale()).isTrue();
    nextAsked().complete(heldByOther("v2"));

    assertThat(engine.await(it -> !it.store().stale(), TIMEOUT).store().stale()).isFalse();
    engine.stop(Duration.ZERO);
  }

  @Test
  void storeIsNotifiedWhenTheGateOpensAndShuts() throws Exception {
    engine.start();
    nextAsked().complete(new LeaseResponse.Granted(7, "incarnation"));
    engine.await(it -> it.role() == RoleName.LEADER, TIMEOUT);
    assertThat(leadershipChanges.poll(120, TimeUnit.SECONDS)).isTrue();

    seconds.addAndGet(LEASE.toSeconds());

    assertThat(leadershipChanges.poll(120, TimeUnit.SECONDS)).isFalse();
    engine.stop(Duration.ZERO);
  }

  @Test
  void callsAreAbandonedWhenTheLeaseExpires() throws Exception {
    calls.set(1);
    engine.start();
    nextAsked().complete(new LeaseResponse.Granted(7, "incarnation"));
    engine.await(it -> it.role() == RoleName.LEADER, TIMEOUT);
    assertThat(gateEvents).containsExactly("open");

    seconds.addAndGet(LEASE.toSeconds());

    engine.await(it -> it.role() != RoleName.LEADER, TIMEOUT);
    assertThat(gateEvents).startsWith("open", "shut", "abandon");
    engine.stop(Duration.ZERO);
  }

  @Test
  void callsAreNotAbandonedDuringADrain() throws Exception {
    calls.set(1);
    engine.start();
    nextAsked().complete(new LeaseResponse.Granted(7, "incarnation"));
    engine.await(it -> it.role() == RoleName.LEADER, TIMEOUT);

    long order =
        engine.submit(new Command.Withdraw(WithdrawalReason.DRAINED, Duration.ofSeconds(5)));
    engine.await(it -> it.engine().commandsDone() >= order, TIMEOUT);
    seconds.addAndGet(4);
    long resume = engine.submit(new Command.Rejoin(WithdrawalReason.DRAINED));
    engine.await(it -> it.engine().commandsDone() >= resume, TIMEOUT);
    assertThat(gateEvents).containsExactly("open", "shut");

    seconds.addAndGet(1);
    assertThat(eventsUpTo("abandon")).isEqualTo("abandon");
    engine.stop(Duration.ZERO);
  }

  /** Returns when all inputs sent so far have been processed, at the current time. */
  private void awaitStep() throws InterruptedException {
    long command = engine.submit(new Command.Rejoin(WithdrawalReason.DRAINED));
    Status status = engine.await(it -> it.engine().commandsDone() >= command, TIMEOUT);
    assertThat(status.engine().commandsDone()).isGreaterThanOrEqualTo(command);
  }

  private String eventsUpTo(String word) throws InterruptedException {
    String next = "";
    while (!next.equals(word)) {
      next =
          Objects.requireNonNull(gateEvents.poll(120, TimeUnit.SECONDS), word + " did not happen");
    }
    return next;
  }

  private CompletableFuture<LeaseResponse> nextAsked() throws InterruptedException {
    return Objects.requireNonNull(asked.poll(120, TimeUnit.SECONDS), "no request was sent");
  }

  private static LeaseResponse heldByOther(String version) {
    RecordVersion recordVersion = new RecordVersion("incarnation", "other", 7, version);
    return new LeaseResponse.HeldByOther(new LeaseRecord(recordVersion, null, LEASE, LEASE, false));
  }
}

package io.portcullis.agent.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.election.machine.Grant;
import io.portcullis.gate.Checkpoint;
import io.portcullis.gate.ElectionGate;
import io.portcullis.gate.Gate;
import io.portcullis.gate.Refusal;
import io.portcullis.gate.Refusal.Verdict;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class StartupGraceTest {
  private static final Duration LONG = Duration.ofMinutes(2);

  private final ElectionGate gate = Gate.addElection("election-" + UUID.randomUUID());
  private final AtomicInteger refused = new AtomicInteger();

  private Verdict skip(Checkpoint checkpoint, long sinceNanos) {
    refused.incrementAndGet();
    return Verdict.SKIP;
  }

  private Checkpoint checkpoint(StartupGrace settling) {
    return Gate.addCheckpoint("rule", gate, settling.wrap(this::skip));
  }

  private void openGate() {
    gate.open(1, System.nanoTime() + LONG.toNanos());
  }

  private static Thread start(Runnable call) {
    Thread thread = new Thread(call, "caller");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private static void awaitWaiting(Thread caller) {
    await().atMost(LONG).until(() -> caller.getState() == Thread.State.TIMED_WAITING);
  }

  @Test
  void earlyCallWaitsUntilTheGateOpens() throws Exception {
    StartupGrace settling = new StartupGrace(LONG);
    Checkpoint checkpoint = checkpoint(settling);
    CompletableFuture<Boolean> skipped = new CompletableFuture<>();
    Thread caller = start(() -> skipped.complete(Gate.enter(checkpoint.slot())));
    awaitWaiting(caller);
    assertThat(gate.callsInFlight()).isZero();

    openGate();
    settling.end();

    assertThat(skipped.get(120, TimeUnit.SECONDS)).isFalse();
    assertThat(refused).hasValue(0);
    assertThat(gate.callsInFlight()).isEqualTo(1);
  }

  @Test
  void waitingCallIsRefusedIfAnotherNodeLeads() throws Exception {
    StartupGrace settling = new StartupGrace(LONG);
    Checkpoint checkpoint = checkpoint(settling);
    CompletableFuture<Boolean> skipped = new CompletableFuture<>();
    Thread caller = start(() -> skipped.complete(Gate.enter(checkpoint.slot())));
    awaitWaiting(caller);

    settling.end();

    assertThat(skipped.get(120, TimeUnit.SECONDS)).isTrue();
    assertThat(refused).hasValue(1);
    assertThat(gate.callsInFlight()).isZero();
  }

  @Test
  void waitingCallIsRefusedAfterTheGracePeriod() {
    Duration patience = Duration.ofMillis(50);
    Checkpoint checkpoint = checkpoint(new StartupGrace(patience));
    long before = System.nanoTime();

    boolean skipped = Gate.enter(checkpoint.slot());

    assertThat(skipped).isTrue();
    assertThat(refused).hasValue(1);
    assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThanOrEqualTo(patience);
  }

  @Test
  void interruptedCallIsRefusedAndStaysInterrupted() throws Exception {
    Checkpoint checkpoint = checkpoint(new StartupGrace(LONG));
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    Thread caller =
        start(
            () -> {
              boolean skipped = Gate.enter(checkpoint.slot());
              interrupted.complete(skipped && Thread.currentThread().isInterrupted());
            });
    awaitWaiting(caller);

    caller.interrupt();

    assertThat(interrupted.get(120, TimeUnit.SECONDS)).isTrue();
    assertThat(refused).hasValue(1);
  }

  @Test
  void callsDoNotWaitAfterTheGracePeriodEnded() {
    StartupGrace settling = new StartupGrace(LONG);
    Checkpoint checkpoint = checkpoint(settling);
    settling.end();
    settling.end();

    boolean skipped = Gate.enter(checkpoint.slot());

    assertThat(skipped).isTrue();
    assertThat(refused).hasValue(1);
    assertThat(checkpoint.blocked()).isEqualTo(1);
  }

  @Test
  void withoutGracePeriodTheRuleActionApplies() {
    Refusal refusal = (checkpoint, sinceNanos) -> Verdict.SKIP;

    assertThat(new StartupGrace(Duration.ZERO).wrap(refusal)).isSameAs(refusal);
  }

  @Test
  void adapterOpensAndShutsTheGateOfWovenCode() {
    GateAdapter adapter = new GateAdapter(gate);
    Checkpoint checkpoint = Gate.addCheckpoint("rule", gate, this::skip);

    adapter.open(new Grant(3, System.nanoTime() + LONG.toNanos()));
    boolean skippedWhileOpen = Gate.enter(checkpoint.slot());

    assertThat(skippedWhileOpen).isFalse();
    assertThat(gate.epoch()).isEqualTo(3);
    assertThat(adapter.callsInFlight()).isEqualTo(1);

    adapter.shut();

    assertThat(Gate.enter(checkpoint.slot())).isTrue();
    Gate.exit(checkpoint.slot());
    assertThat(adapter.callsInFlight()).isZero();
  }
}

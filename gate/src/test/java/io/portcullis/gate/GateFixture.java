package io.portcullis.gate;

import io.portcullis.gate.Refusal.ThrowNotLeader;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A separate election for a test, with one rule: elections stay installed, so names must differ.
 */
record GateFixture(ElectionGate election, Checkpoint checkpoint) {
  private static final AtomicInteger COUNT = new AtomicInteger();

  static GateFixture refusingWith(Refusal refusal) {
    int number = COUNT.incrementAndGet();
    ElectionGate election = Gate.addElection("election-" + number);
    return new GateFixture(election, Gate.addCheckpoint("rule-" + number, election, refusal));
  }

  static GateFixture throwing() {
    return refusingWith(ThrowNotLeader.WITHOUT_STACK_TRACE);
  }

  void openFor(long hours) {
    openFor(hours, 1);
  }

  void openFor(long hours, long epoch) {
    election.open(epoch, System.nanoTime() + TimeUnit.HOURS.toNanos(hours));
  }

  boolean enter() {
    return Gate.enter(checkpoint.slot());
  }

  void exit() {
    Gate.exit(checkpoint.slot());
  }

  boolean check() {
    return Gate.check(checkpoint.slot());
  }
}

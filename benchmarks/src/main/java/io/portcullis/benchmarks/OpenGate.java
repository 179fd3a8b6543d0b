package io.portcullis.benchmarks;

import io.portcullis.gate.Checkpoint;
import io.portcullis.gate.ElectionGate;
import io.portcullis.gate.Gate;
import io.portcullis.gate.Refusal.ThrowNotLeader;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Calls that pass: without any check, with a minimal check, and through the gate. */
@State(Scope.Benchmark)
public class OpenGate {
  /** The first checkpoint of a JVM has slot 0; a constant here, as in woven code. */
  private static final int RULE = 0;

  private final ElectionGate election = Gate.addElection("writer");
  private final BackgroundRenewal renewal = new BackgroundRenewal(this::renew);
  private final long order = System.nanoTime();

  private volatile long deadlineNanos;

  @Setup
  public void start() {
    Checkpoint orders = Gate.addCheckpoint("orders", election, ThrowNotLeader.WITHOUT_STACK_TRACE);
    if (orders.slot() != RULE) {
      throw new AssertionError("The measured rule has slot " + orders.slot());
    }
    renewal.start();
  }

  @TearDown
  public void stop() throws InterruptedException {
    renewal.stop();
  }

  private void renew(long newDeadlineNanos) {
    deadlineNanos = newDeadlineNanos;
    election.open(1, newDeadlineNanos);
  }

  @Benchmark
  public long ungated() {
    return MeasuredCall.save(order);
  }

  @Benchmark
  public long handWrittenDeadline() {
    if (deadlineNanos - System.nanoTime() <= 0) {
      throw new IllegalStateException("not the leader");
    }
    return MeasuredCall.save(order);
  }

  @Benchmark
  public long gated() {
    if (Gate.enter(RULE)) {
      return 0;
    }
    try {
      return MeasuredCall.save(order);
    } finally {
      Gate.exit(RULE);
    }
  }

  @Benchmark
  public long gatedWithoutAccounting() {
    if (Gate.check(RULE)) {
      return 0;
    }
    return MeasuredCall.save(order);
  }
}

package io.portcullis.benchmarks;

import io.portcullis.gate.ElectionGate;
import io.portcullis.gate.Gate;
import io.portcullis.gate.NotLeaderException;
import io.portcullis.gate.Refusal.ThrowNotLeader;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Calls that are refused with an exception, which is caught one frame up. */
@State(Scope.Benchmark)
public class ShutGate {
  private static final int RULE = 0;
  private static final int RULE_WITH_STACK_TRACE = 1;

  @Setup
  public void install() {
    ElectionGate election = Gate.addElection("writer");
    Gate.addCheckpoint("orders", election, ThrowNotLeader.WITHOUT_STACK_TRACE);
    Gate.addCheckpoint("audit", election, ThrowNotLeader.WITH_STACK_TRACE);
    election.leaderSeen("b-990-11aa", "http://10.0.0.8:8080", 8);
  }

  @Benchmark
  public Object refused() {
    try {
      return save(1);
    } catch (NotLeaderException refused) {
      return refused;
    }
  }

  @Benchmark
  public Object refusedWithStackTrace() {
    try {
      return audit(1);
    } catch (NotLeaderException refused) {
      return refused;
    }
  }

  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  private static long save(long order) {
    if (Gate.enter(RULE)) {
      return 0;
    }
    try {
      return MeasuredCall.save(order);
    } finally {
      Gate.exit(RULE);
    }
  }

  @CompilerControl(CompilerControl.Mode.DONT_INLINE)
  private static long audit(long order) {
    if (Gate.enter(RULE_WITH_STACK_TRACE)) {
      return 0;
    }
    try {
      return MeasuredCall.save(order);
    } finally {
      Gate.exit(RULE_WITH_STACK_TRACE);
    }
  }
}

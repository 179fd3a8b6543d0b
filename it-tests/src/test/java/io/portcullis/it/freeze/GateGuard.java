package io.portcullis.it.freeze;

import io.portcullis.gate.ElectionGate;
import io.portcullis.gate.Gate;
import io.portcullis.gate.Refusal.Verdict;

/** The product's gate. */
final class GateGuard implements CallGuard {
  static final String NAME = "gate";

  private final ElectionGate election = Gate.addElection("writer");
  private final int rule =
      Gate.addCheckpoint("hammered", election, (checkpoint, sinceNanos) -> Verdict.SKIP).slot();

  @Override
  public void open(long epoch, long deadlineNanos) {
    election.open(epoch, deadlineNanos);
  }

  @Override
  public boolean enter() {
    return !Gate.enter(rule);
  }

  @Override
  public void exit() {
    Gate.exit(rule);
  }
}

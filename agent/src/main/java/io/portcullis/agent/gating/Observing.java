package io.portcullis.agent.gating;

import io.portcullis.gate.Checkpoint;
import io.portcullis.gate.Refusal;

/** Refuses nothing: the call runs, and the books tell that it found the gate shut. */
public enum Observing implements Refusal {
  CALLS;

  @Override
  public Verdict refuse(Checkpoint checkpoint) {
    return Verdict.RUN;
  }
}

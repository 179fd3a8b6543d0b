package io.portcullis.agent.node;

import io.portcullis.election.engine.GateControl;
import io.portcullis.election.machine.Grant;
import io.portcullis.gate.ElectionGate;

/** Lets the election open and shut the gate that woven code checks. */
final class GateAdapter implements GateControl {
  private final ElectionGate gate;

  GateAdapter(ElectionGate gate) {
    this.gate = gate;
  }

  @Override
  public void open(Grant grant) {
    gate.open(grant.epoch(), grant.deadlineNanos());
  }

  @Override
  public void shut() {
    gate.shut();
  }

  @Override
  public void abandonCalls() {
    gate.abandonCalls();
  }

  @Override
  public long callsInFlight() {
    return gate.callsInFlight();
  }
}

package io.portcullis.election.engine;

import io.portcullis.election.machine.Command;
import io.portcullis.election.machine.Draining;
import io.portcullis.election.machine.Effect;
import io.portcullis.election.machine.ElectionEvent;
import io.portcullis.election.machine.Inactive;
import io.portcullis.election.machine.Input;
import io.portcullis.election.machine.Role;
import io.portcullis.election.machine.Step;

/** Derives from a step the reason why a node leads or does not lead. */
final class StatusReason {
  private StatusReason() {}

  /**
   * The reason after a step.
   *
   * @param left the role before the step
   */
  static String after(String before, Role left, Input input, Step step) {
    Role role = step.role();
    String why = before;
    for (Effect effect : step.effects()) {
      if (effect instanceof Effect.Announce announce) {
        if (announce.event() instanceof ElectionEvent.StartedLeading started) {
          why = started.why();
        } else if (announce.event() instanceof ElectionEvent.StoppedLeading stopped) {
          why = stopped.why();
        }
      }
    }
    if (role instanceof Draining draining
        && draining.stoppedEvent() instanceof ElectionEvent.StoppedLeading leaving) {
      why = leaving.why();
    }
    if (role instanceof Inactive
        && role.name() != left.name()
        && input instanceof Input.Ordered ordered
        && ordered.command() instanceof Command.Withdraw withdraw) {
      why = withdraw.why();
    }
    return why;
  }
}

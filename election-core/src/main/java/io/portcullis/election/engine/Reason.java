package io.portcullis.election.engine;

import io.portcullis.election.machine.Command;
import io.portcullis.election.machine.Draining;
import io.portcullis.election.machine.Effect;
import io.portcullis.election.machine.Event;
import io.portcullis.election.machine.Input;
import io.portcullis.election.machine.Resting;
import io.portcullis.election.machine.Role;
import io.portcullis.election.machine.Step;

/** Why a node leads or does not, in the words of the last step that changed it. */
final class Reason {
  private Reason() {}

  /** What it is after a step that {@code input} made from the role {@code left}. */
  static String after(String before, Role left, Input input, Step step) {
    Role role = step.role();
    String why = before;
    for (Effect effect : step.effects()) {
      if (effect instanceof Effect.Announce announce) {
        if (announce.event() instanceof Event.StartedLeading started) {
          why = started.why();
        } else if (announce.event() instanceof Event.StoppedLeading stopped) {
          why = stopped.why();
        }
      }
    }
    if (role instanceof Draining draining
        && draining.farewell() instanceof Event.StoppedLeading leaving) {
      why = leaving.why();
    }
    if (role instanceof Resting
        && role.name() != left.name()
        && input instanceof Input.Ordered ordered
        && ordered.command() instanceof Command.Withdraw withdraw) {
      why = withdraw.why();
    }
    return why;
  }
}

package io.portcullis.election.engine;

import io.portcullis.election.machine.Draining;
import io.portcullis.election.machine.Effect;
import io.portcullis.election.machine.Event;
import io.portcullis.election.machine.Role;
import java.util.List;

/** Why a node leads or does not, in the words of the last step that changed it. */
final class Reason {
  private Reason() {}

  /** What it is after a step that led to {@code role}. */
  static String after(String before, Role role, List<Effect> effects) {
    String why = before;
    for (Effect effect : effects) {
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
    return why;
  }
}

package io.portcullis.backend.quorum.sim;

import io.portcullis.election.machine.Input;
import io.portcullis.election.machine.Role;
import io.portcullis.election.machine.Step;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;

/** What happened, a line an event, for people. Kept only when a failing seed is run again. */
final class EventTrace {
  private static final int LINES = Integer.getInteger("portcullis.sim.lines", 300);

  private final boolean kept;
  private final Deque<String> lines = new ArrayDeque<>();

  EventTrace(boolean kept) {
    this.kept = kept;
  }

  void step(long time, SimProcess process, Input input, Role before, Step step) {
    if (kept && !(input instanceof Input.Tick && step.effects().isEmpty())) {
      String from = before.getClass().getSimpleName();
      String to = step.role().getClass().getSimpleName();
      add(time, process + " election", input + ": " + from + " -> " + to + " " + step.effects());
    }
  }

  void step(
      long time,
      SimProcess process,
      io.portcullis.backend.quorum.machine.QuorumInput input,
      List<io.portcullis.backend.quorum.machine.QuorumEffect> effects) {
    if (kept
        && !(input instanceof io.portcullis.backend.quorum.machine.QuorumInput.Tick
            && effects.isEmpty())) {
      add(time, process + " voter", input + ": " + brief(effects));
    }
  }

  /** A message to all is told once. */
  private static List<String> brief(
      List<io.portcullis.backend.quorum.machine.QuorumEffect> effects) {
    List<String> told = new ArrayList<>();
    for (io.portcullis.backend.quorum.machine.QuorumEffect effect : effects) {
      String text =
          effect instanceof io.portcullis.backend.quorum.machine.QuorumEffect.Send send
              ? send.message() + " to"
              : effect.toString();
      int last = told.size() - 1;
      if (effect instanceof io.portcullis.backend.quorum.machine.QuorumEffect.Send send) {
        boolean again = last >= 0 && told.get(last).startsWith(text);
        if (again) {
          told.set(last, told.get(last) + " " + send.to());
        } else {
          told.add(text + " " + send.to());
        }
      } else {
        told.add(text);
      }
    }
    return told;
  }

  void note(long time, String what) {
    if (kept) {
      add(time, "world", what);
    }
  }

  private void add(long time, String who, String what) {
    if (lines.size() == LINES) {
      lines.removeFirst();
    }
    lines.add(String.format(Locale.ROOT, "%12.6fs %-15s %s", time / 1e9, who, what));
  }

  String text() {
    return String.join("\n", lines);
  }
}

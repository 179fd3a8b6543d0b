package io.portcullis.backend.quorum.sim;

import io.portcullis.backend.quorum.machine.QuorumEffect;
import io.portcullis.backend.quorum.machine.QuorumInput;
import io.portcullis.election.machine.Input;
import io.portcullis.election.machine.Role;
import io.portcullis.election.machine.Step;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;

/** A readable trace with one line per event. Recorded only when a failing seed is run again. */
final class EventTrace {
  private static final int LINES = Integer.getInteger("portcullis.sim.lines", 300);

  private final boolean enabled;
  private final Deque<String> lines = new ArrayDeque<>();

  EventTrace(boolean enabled) {
    this.enabled = enabled;
  }

  void step(long time, SimProcess process, Input input, Role before, Step step) {
    if (enabled && !(input instanceof Input.Tick && step.effects().isEmpty())) {
      String from = before.getClass().getSimpleName();
      String to = step.role().getClass().getSimpleName();
      add(time, process + " election", input + ": " + from + " -> " + to + " " + step.effects());
    }
  }

  void step(long time, SimProcess process, QuorumInput input, List<QuorumEffect> effects) {
    if (enabled && !(input instanceof QuorumInput.Tick && effects.isEmpty())) {
      add(time, process + " voter", input + ": " + brief(effects));
    }
  }

  /** Summarizes a message to several members in one line. */
  private static List<String> brief(List<QuorumEffect> effects) {
    List<String> texts = new ArrayList<>();
    for (QuorumEffect effect : effects) {
      String text =
          effect instanceof QuorumEffect.Send send ? send.message() + " to" : effect.toString();
      int last = texts.size() - 1;
      if (effect instanceof QuorumEffect.Send send) {
        boolean again = last >= 0 && texts.get(last).startsWith(text);
        if (again) {
          texts.set(last, texts.get(last) + " " + send.to());
        } else {
          texts.add(text + " " + send.to());
        }
      } else {
        texts.add(text);
      }
    }
    return texts;
  }

  void note(long time, String what) {
    if (enabled) {
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

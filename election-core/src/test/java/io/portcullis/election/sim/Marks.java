package io.portcullis.election.sim;

import io.portcullis.election.machine.Event;
import io.portcullis.election.machine.Role;
import java.util.Map;
import java.util.TreeMap;

/** Counts what runs came through, so that a simulation that never gets anywhere is noticed. */
final class Marks {
  private final Map<String, Integer> counts = new TreeMap<>();

  void transition(Role before, Role after) {
    if (before.getClass() != after.getClass()) {
      hit(before.getClass().getSimpleName() + ">" + after.getClass().getSimpleName());
    }
  }

  void event(Event event) {
    if (event instanceof Event.StoppedLeading stopped) {
      hit("ended by " + stopped.ending());
    } else {
      hit(event.getClass().getSimpleName());
    }
  }

  void hit(String mark) {
    counts.merge(mark, 1, Integer::sum);
  }

  /** The one method that several runs call at once. */
  synchronized void addAll(Marks others) {
    others.counts.forEach((mark, count) -> counts.merge(mark, count, Integer::sum));
  }

  Map<String, Integer> counts() {
    return counts;
  }
}

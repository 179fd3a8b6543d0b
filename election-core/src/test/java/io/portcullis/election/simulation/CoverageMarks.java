package io.portcullis.election.simulation;

import io.portcullis.election.machine.ElectionEvent;
import io.portcullis.election.machine.Role;
import java.util.Map;
import java.util.TreeMap;

/** Counts what runs came through, so that a simulation that never gets anywhere is noticed. */
public final class CoverageMarks {
  private final Map<String, Integer> counts = new TreeMap<>();

  /** A node's election went from one role to another. */
  public void transition(Role before, Role after) {
    if (before.getClass() != after.getClass()) {
      hit(before.getClass().getSimpleName() + ">" + after.getClass().getSimpleName());
    }
  }

  /** Listeners were told of this. */
  public void event(ElectionEvent event) {
    if (event instanceof ElectionEvent.StoppedLeading stopped) {
      hit("ended by " + stopped.reason());
    } else {
      hit(event.getClass().getSimpleName());
    }
  }

  /** This happened once more. */
  public void hit(String mark) {
    counts.merge(mark, 1, Integer::sum);
  }

  /** The one method that several runs call at once. */
  public synchronized void addAll(CoverageMarks others) {
    others.counts.forEach((mark, count) -> counts.merge(mark, count, Integer::sum));
  }

  /** How often what happened. */
  public Map<String, Integer> counts() {
    return counts;
  }
}

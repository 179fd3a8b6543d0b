package io.portcullis.election.simulation;

import io.portcullis.election.machine.ElectionEvent;
import io.portcullis.election.machine.Role;
import java.util.Map;
import java.util.TreeMap;

/** Counts the states that runs reach, so that a simulation without progress is detected. */
public final class CoverageMarks {
  private final Map<String, Integer> counts = new TreeMap<>();

  /** Records a change of a node's role. */
  public void transition(Role before, Role after) {
    if (before.getClass() != after.getClass()) {
      hit(before.getClass().getSimpleName() + ">" + after.getClass().getSimpleName());
    }
  }

  /** Records an event for listeners. */
  public void event(ElectionEvent event) {
    if (event instanceof ElectionEvent.StoppedLeading stopped) {
      hit("ended by " + stopped.reason());
    } else {
      hit(event.getClass().getSimpleName());
    }
  }

  /** Records one more occurrence. */
  public void hit(String mark) {
    counts.merge(mark, 1, Integer::sum);
  }

  /** The only method that several runs call concurrently. */
  public synchronized void addAll(CoverageMarks others) {
    others.counts.forEach((mark, count) -> counts.merge(mark, count, Integer::sum));
  }

  /** Occurrences by name. */
  public Map<String, Integer> counts() {
    return counts;
  }
}

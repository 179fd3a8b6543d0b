package io.portcullis.agent.fencing;

import io.portcullis.agent.node.FenceView;
import io.portcullis.election.backend.StorePlan;
import io.portcullis.fencing.wire.Fences;
import java.util.List;

/**
 * The fences of this node together with the lines that lead to them.
 *
 * @param fences by configuration
 * @param lines of the application
 */
public record FenceYard(NodeFences fences, Fences lines) {

  /** Whether there is none. */
  public boolean isEmpty() {
    return fences.isEmpty();
  }

  /** The plan of an election whose store grants nothing before the election's fences stand. */
  public StorePlan guard(String election, StorePlan plan) {
    return fences.guard(election, plan);
  }

  /** Looks how they stand, and for leaders that pass them by. Now and then; returns at once. */
  public void lookOut() {
    fences.lookOut();
  }

  /** How they stand at this moment. */
  public List<FenceView> view() {
    return fences.view(lines::connections);
  }
}

package io.portcullis.agent.fencing;

import io.portcullis.agent.node.FenceView;
import io.portcullis.election.backend.StorePlan;
import io.portcullis.fencing.protocol.FencedConnections;
import java.util.List;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The fences of this node together with the lines that lead to them.
 *
 * @param fences by configuration
 * @param connections of the application
 * @param coverage reports connections that no fence covers
 */
public record FenceRegistry(
    NodeFences fences, FencedConnections connections, CoverageMonitor coverage) {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");

  /**
   * Creates a monitor for these fences.
   *
   * @param nanoTime a monotonic clock
   */
  public FenceRegistry(NodeFences fences, FencedConnections lines, LongSupplier nanoTime) {
    this(fences, lines, new CoverageMonitor(() -> fences.uses(lines), nanoTime, LOG::warn));
  }

  /** Whether there is none. */
  public boolean isEmpty() {
    return fences.isEmpty();
  }

  /** The plan of an election whose store grants nothing before the election's fences stand. */
  public StorePlan withFences(String election, StorePlan plan) {
    return fences.withFences(election, plan);
  }

  /**
   * Reads their state and looks for connections that no fence covers. Called regularly; returns at
   * once.
   */
  public void refresh() {
    fences.refresh(connections::connections);
    coverage.check();
  }

  /** How they stand at this moment. */
  public List<FenceView> view() {
    return fences.view(connections::connections).stream()
        .map(each -> each.withCoverage(coverage.coverage(each.id())))
        .toList();
  }
}

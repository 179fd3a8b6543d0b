package io.portcullis.agent.fencing;

import io.portcullis.agent.node.FenceView;
import io.portcullis.election.backend.StorePlan;
import io.portcullis.fencing.protocol.FencedConnections;
import java.util.List;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the fences of this node and the application's connections to fenced databases.
 *
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
  public FenceRegistry(NodeFences fences, FencedConnections connections, LongSupplier nanoTime) {
    this(
        fences,
        connections,
        new CoverageMonitor(() -> fences.uses(connections), nanoTime, LOG::warn));
  }

  public boolean isEmpty() {
    return fences.isEmpty();
  }

  /** Wraps a plan so that its store grants nothing before the election's fences are installed. */
  public StorePlan withFences(String election, StorePlan plan) {
    return fences.withFences(election, plan);
  }

  /**
   * Reads the state of all fences and looks for connections that no fence covers. Must be called
   * regularly; does not block.
   */
  public void refresh() {
    fences.refresh(connections::connections);
    coverage.check();
  }

  /** The last known state of each fenced database. */
  public List<FenceView> view() {
    return fences.view(connections::connections).stream()
        .map(each -> each.withCoverage(coverage.coverage(each.id())))
        .toList();
  }
}

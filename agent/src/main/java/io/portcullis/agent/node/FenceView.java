package io.portcullis.agent.node;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * State of one fenced database at one moment.
 *
 * @param id the fence's id in the configuration
 * @param election the election whose epochs it checks
 * @param problem the error of the last check, null if it succeeded
 * @param coverage whether it covers all connections that it should
 */
public record FenceView(
    String id,
    String election,
    String database,
    InstalledEpoch installed,
    FenceTraffic traffic,
    @Nullable String problem,
    FenceCoverage coverage) {

  /** Returns a copy with this coverage. */
  public FenceView withCoverage(FenceCoverage known) {
    return new FenceView(id, election, database, installed, traffic, problem, known);
  }

  /**
   * The epoch that the database accepts.
   *
   * @param epoch the epoch at the last check, null if none was ever installed
   * @param holder the node that installed it
   */
  public record InstalledEpoch(@Nullable Long epoch, @Nullable String holder) {}

  /**
   * What passes the fence.
   *
   * @param connections open connections of the application to this database
   * @param refused writes to this database that this node refused
   */
  public record FenceTraffic(int connections, long refused) {}

  /**
   * Whether a fence covers the connections that it should.
   *
   * @param unused whether this node has led for a while and the fence covered no connection
   * @param unfencedDrivers artifact names of drivers in this JVM that can't be fenced
   */
  public record FenceCoverage(boolean unused, List<String> unfencedDrivers) {
    /** No unfenced connection is known. */
    public static final FenceCoverage NO_GAP = new FenceCoverage(false, List.of());
  }
}

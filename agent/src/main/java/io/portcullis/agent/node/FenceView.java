package io.portcullis.agent.node;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * State of one fenced database at one moment.
 *
 * @param id the fence's id in the configuration
 * @param election the election whose epochs it checks
 * @param epoch the fence's epoch at the last check, null if none was ever installed
 * @param holder the node that installed that epoch
 * @param connections open connections of the application to this database
 * @param refused writes to this database that this node refused
 * @param problem the error of the last check, null if it succeeded
 * @param coverage whether it covers all connections that it should
 */
public record FenceView(
    String id,
    String election,
    String database,
    @Nullable Long epoch,
    @Nullable String holder,
    int connections,
    long refused,
    @Nullable String problem,
    FenceCoverage coverage) {

  /** A fence without known coverage gaps. */
  public FenceView(
      String id,
      String election,
      String database,
      @Nullable Long epoch,
      @Nullable String holder,
      int connections,
      long refused,
      @Nullable String problem) {
    this(
        id, election, database, epoch, holder, connections, refused, problem, FenceCoverage.NO_GAP);
  }

  /** Returns a copy with this coverage. */
  public FenceView withCoverage(FenceCoverage known) {
    return new FenceView(
        id, election, database, epoch, holder, connections, refused, problem, known);
  }

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

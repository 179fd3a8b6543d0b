package io.portcullis.agent.node;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One fenced database at one moment.
 *
 * @param id the fence
 * @param election the election whose epochs it compares
 * @param database where it is
 * @param epoch what it stood at when last looked, null if nothing was ever installed
 * @param holder who installed that
 * @param connections of the application that lead there now
 * @param refused how many writes were refused there, by this node
 * @param trouble why it could not be reached when last looked, null if it could
 * @param coverage whether it covers the connections that it should
 */
public record FenceView(
    String id,
    String election,
    String database,
    @Nullable Long epoch,
    @Nullable String holder,
    int connections,
    long refused,
    @Nullable String trouble,
    FenceCoverage coverage) {

  /** A fence of which no gap is known. */
  public FenceView(
      String id,
      String election,
      String database,
      @Nullable Long epoch,
      @Nullable String holder,
      int connections,
      long refused,
      @Nullable String trouble) {
    this(
        id, election, database, epoch, holder, connections, refused, trouble, FenceCoverage.NO_GAP);
  }

  /** The same fence with what is known of its coverage. */
  public FenceView withCoverage(FenceCoverage known) {
    return new FenceView(
        id, election, database, epoch, holder, connections, refused, trouble, known);
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

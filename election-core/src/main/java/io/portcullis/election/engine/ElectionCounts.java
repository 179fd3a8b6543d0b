package io.portcullis.election.engine;

import io.portcullis.election.machine.LossReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * What an engine has counted and measured.
 *
 * @param elections how many new leaders were seen, this node included
 * @param acquired how often this node began to lead
 * @param lost how often it stopped, by reason
 * @param attempts how its claims were answered: granted, held, unknown
 * @param acquire how long granted claims took
 * @param renew how long good renewals took
 * @param convergence how long nobody was known to lead before somebody was
 * @param heartbeatAtNanos when the leader last gave a sign of life, null if never
 * @param store what the store counted on this side, by name
 */
public record ElectionCounts(
    long elections,
    long acquired,
    Map<LossReason, Long> lost,
    Map<String, Long> attempts,
    DurationHistogram acquire,
    DurationHistogram renew,
    DurationHistogram convergence,
    @Nullable Long heartbeatAtNanos,
    Map<String, Long> store) {

  /** Nothing counted yet. */
  public static final ElectionCounts NONE =
      new ElectionCounts(
          0,
          0,
          Map.of(),
          Map.of(),
          DurationHistogram.NONE,
          DurationHistogram.NONE,
          DurationHistogram.NONE,
          null,
          Map.of());

  /**
   * How long something took, over all the times it happened.
   *
   * @param counts how often it took at most the bound of the same index in {@link #BOUNDS} and more
   *     than the one before; the last entry counts what took longer than all
   * @param sum all times together
   * @param last the newest, null if it never happened
   */
  public record DurationHistogram(List<Long> counts, Duration sum, @Nullable Duration last) {
    /** From a round trip on one machine to a lease that had to run out. */
    public static final List<Duration> BOUNDS =
        LongStream.of(
                1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000)
            .mapToObj(Duration::ofMillis)
            .toList();

    static final DurationHistogram NONE =
        new DurationHistogram(Collections.nCopies(BOUNDS.size() + 1, 0L), Duration.ZERO, null);

    DurationHistogram plus(Duration took) {
      int index = 0;
      while (index < BOUNDS.size() && took.compareTo(BOUNDS.get(index)) > 0) {
        index++;
      }
      List<Long> grown = new ArrayList<>(counts);
      grown.set(index, grown.get(index) + 1);
      return new DurationHistogram(List.copyOf(grown), sum.plus(took), took);
    }
  }
}

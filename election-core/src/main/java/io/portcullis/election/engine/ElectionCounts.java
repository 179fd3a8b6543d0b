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
 * Counters and histograms of one engine.
 *
 * @param elections number of new leaders seen, including this node
 * @param acquired how often this node started to lead
 * @param lost how often this node stopped leading, by reason
 * @param attempts number of claims by result: granted, held, unknown
 * @param acquire duration of granted claims
 * @param renew duration of successful renewals
 * @param convergence time without a known leader before a new one was seen
 * @param heartbeatAtNanos time of the leader's last heartbeat, null if there was none
 * @param store counters of the store on this node, by name
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
   * Histogram of durations.
   *
   * @param counts entry {@code i} counts durations up to bound {@code i} of {@link #BOUNDS} and
   *     above the bound before it; the last entry counts durations above all bounds
   * @param sum sum of all durations
   * @param last the latest duration, null if there was none
   */
  public record DurationHistogram(List<Long> counts, Duration sum, @Nullable Duration last) {
    /** From a round trip on one machine to the wait for a lease to expire. */
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

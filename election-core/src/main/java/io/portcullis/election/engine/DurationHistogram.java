package io.portcullis.election.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

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
      LongStream.of(1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000)
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

package io.portcullis.election.machine;

import io.portcullis.election.config.FirstElection;
import io.portcullis.election.config.Timing;
import io.portcullis.election.store.LeaseRecord;
import org.jspecify.annotations.Nullable;

/**
 * A lease record as this node first saw it, and the moment on this node's monotonic clock at which
 * the holder's right has surely ended if the record stays the same.
 *
 * @param record what the store showed
 * @param endsAtNanos when the wait for it is over
 * @param trusted false if the store showed less than this node has seen before: then even a
 *     released record is waited out
 */
public record Sighting(LeaseRecord record, long endsAtNanos, boolean trusted) {

  /**
   * What to make of {@code seen}, which arrived at {@code arrivedAtNanos}. An unchanged record
   * keeps its old end: the wait for it neither restarts nor, should the store's clock jump, gets
   * shorter.
   */
  static Sighting of(
      LeaseRecord seen,
      @Nullable Sighting before,
      @Nullable Long doubtUntilNanos,
      Timing timing,
      long arrivedAtNanos) {
    if (before != null && before.shows(seen)) {
      return before;
    }
    long endsAt = arrivedAtNanos + holdersLease(seen, before, timing);
    return doubtUntilNanos == null
        ? new Sighting(seen, endsAt, true)
        : new Sighting(seen, later(endsAt, doubtUntilNanos), false);
  }

  private static long later(long oneNanos, long otherNanos) {
    return oneNanos - otherNanos > 0 ? oneNanos : otherNanos;
  }

  private static long holdersLease(LeaseRecord seen, @Nullable Sighting before, Timing timing) {
    if (seen.isNone()) {
      return timing.firstElection() == FirstElection.AT_ONCE ? 0 : timing.longestLease().toNanos();
    }
    if (seen.released()) {
      return 0;
    }
    long left = seen.remaining().toNanos();
    return before != null && before.isShortenedBy(seen)
        ? Math.max(left, before.record.lease().toNanos())
        : left;
  }

  /** True if {@code now} is past the point at which the holder's right has surely ended. */
  boolean hasEndedBy(Moment now) {
    return now.hasReached(endsAtNanos);
  }

  boolean shows(LeaseRecord seen) {
    return record.stamp().equals(seen.stamp()) && record.released() == seen.released();
  }

  /** A holder's earlier, longer lease still runs when its record is edited to a shorter one. */
  private boolean isShortenedBy(LeaseRecord seen) {
    return record.holder().equals(seen.holder())
        && record.epoch() == seen.epoch()
        && seen.lease().compareTo(record.lease()) < 0;
  }
}

package io.portcullis.election.machine;

import io.portcullis.election.config.Timing;
import io.portcullis.election.config.Timing.FirstElection;
import io.portcullis.election.store.LeaseRecord;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A lease record as this node first saw it, and the moment on this node's monotonic clock at which
 * the holder's right has surely ended if the record remains unchanged.
 *
 * @param record what the store showed
 * @param endsAtNanos when the wait for it is over
 * @param longestOfHolder the longest lease that this holder has shown under this epoch
 * @param trusted false if the store showed less than this node has seen before: then even a
 *     released record is waited out
 */
public record ObservedRecord(
    LeaseRecord record, long endsAtNanos, Duration longestOfHolder, boolean trusted) {

  /**
   * Evaluates {@code seen}, which arrived at {@code arrivedAtNanos}. An unchanged record keeps its
   * old end: the wait for it neither restarts nor gets shorter if the store's clock jumps.
   */
  static ObservedRecord of(
      LeaseRecord seen,
      @Nullable ObservedRecord before,
      @Nullable Long doubtUntilNanos,
      Timing timing,
      long arrivedAtNanos) {
    if (before != null && before.shows(seen)) {
      return before;
    }
    Duration longest = before == null ? seen.lease() : before.longestOf(seen);
    long endsAt = arrivedAtNanos + waitFor(seen, longest, timing);
    if (before != null && !seen.released() && seen.epoch() <= before.record.epoch()) {
      endsAt = later(endsAt, before.endsAtNanos); // No edit of the record ends a right early.
    }
    return doubtUntilNanos == null
        ? new ObservedRecord(seen, endsAt, longest, true)
        : new ObservedRecord(seen, later(endsAt, doubtUntilNanos), longest, false);
  }

  private static long later(long oneNanos, long otherNanos) {
    return oneNanos - otherNanos > 0 ? oneNanos : otherNanos;
  }

  private static long waitFor(LeaseRecord seen, Duration longestOfHolder, Timing timing) {
    if (seen.isNone()) {
      return timing.firstElection() == FirstElection.AT_ONCE ? 0 : timing.longestLease().toNanos();
    }
    if (seen.released()) {
      return 0;
    }
    long left = seen.remaining().toNanos();
    boolean shortened = seen.lease().compareTo(longestOfHolder) < 0;
    return shortened ? Math.max(left, longestOfHolder.toNanos()) : left;
  }

  /** True if {@code now} is past the point at which the holder's right has surely ended. */
  boolean hasEndedBy(StepContext now) {
    return now.hasReached(endsAtNanos);
  }

  boolean shows(LeaseRecord seen) {
    return record.recordVersion().equals(seen.recordVersion())
        && record.released() == seen.released();
  }

  /** A holder's earlier, longer lease still runs when its record is edited to a shorter one. */
  private Duration longestOf(LeaseRecord seen) {
    boolean sameTenure = record.holder().equals(seen.holder()) && record.epoch() == seen.epoch();
    return sameTenure && longestOfHolder.compareTo(seen.lease()) > 0
        ? longestOfHolder
        : seen.lease();
  }
}

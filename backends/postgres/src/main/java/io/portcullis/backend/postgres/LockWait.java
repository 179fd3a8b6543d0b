package io.portcullis.backend.postgres;

import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.RecordVersion;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long a claim that is right by the row has been kept waiting by the lock.
 *
 * <p>A holder whose lease is waited out but whose session lives gets a little longer: a stall that
 * is over soon costs no change of leader. Where the row names nobody who could have the lock, a
 * moment is no news: another candidate may be at it. What lasts longer than a lease could is.
 */
final class LockWait {
  private static final Duration MAX_GRACE = Duration.ofSeconds(3);

  private @Nullable RecordVersion stamp;
  private long sinceNanos;

  /** Notes that the lock was refused to a claim on {@code shown}; true once that lasted enough. */
  boolean isOver(LeaseRecord shown, Duration longestLease, long nowNanos) {
    if (!shown.stamp().equals(stamp)) {
      stamp = shown.stamp();
      sinceNanos = nowNanos;
    }
    Duration wait = shown.isHeld() ? grace(shown.lease()) : longestLease;
    return nowNanos - sinceNanos >= wait.toNanos();
  }

  private static Duration grace(Duration lease) {
    Duration half = lease.dividedBy(2);
    return half.compareTo(MAX_GRACE) < 0 ? half : MAX_GRACE;
  }
}

package io.portcullis.election.store;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a store knows about the newest lease of one election, as it was when the store answered.
 *
 * @param recordVersion which write this is
 * @param address where the holder can be reached, if it said so
 * @param lease the length the holder asked for: waits use this one, never the waiter's own
 * @param remaining at most how much of that length is left by the store's own count; the whole
 *     length where the store does not count
 * @param released true once the holder itself gave the lease back, its gate shut
 */
public record LeaseRecord(
    RecordVersion recordVersion,
    @Nullable String address,
    Duration lease,
    Duration remaining,
    boolean released) {

  /** Longer than any lease, and far from overflow. */
  private static final Duration MAX_LEASE = Duration.ofDays(365);

  /** Refuses missing parts and lengths that can't be. */
  public LeaseRecord {
    Objects.requireNonNull(recordVersion, "stamp");
    Objects.requireNonNull(lease, "lease");
    Objects.requireNonNull(remaining, "remaining");
    checkLength("lease", lease);
    checkLength("remaining", remaining);
  }

  /** A record that can't be right is refused where it is read, and so counts as unknown. */
  private static void checkLength(String what, Duration length) {
    if (length.isNegative() || length.compareTo(MAX_LEASE) > 0) {
      throw new IllegalArgumentException(
          what + " in the record is " + length + "; it must be from zero to " + MAX_LEASE);
    }
  }

  /**
   * A store that holds no record of this election.
   *
   * @param incarnation its life, empty if it has none to name without a record
   */
  public static LeaseRecord none(String incarnation) {
    return new LeaseRecord(
        new RecordVersion(incarnation, "", 0, ""), null, Duration.ZERO, Duration.ZERO, false);
  }

  /** True if the store holds no record at all. */
  public boolean isNone() {
    return recordVersion.holder().isEmpty() && recordVersion.epoch() == 0;
  }

  /** The identity of the holder, empty if nobody ever held the lease. */
  public String holder() {
    return recordVersion.holder();
  }

  /** The epoch of the record. */
  public long epoch() {
    return recordVersion.epoch();
  }

  /** True if somebody holds the lease and has not given it back. */
  public boolean isHeld() {
    return !holder().isEmpty() && !released;
  }

  /** True if {@code node} holds the lease under {@code epoch}: a renewal must find just this. */
  public boolean isHeldBy(String node, long epoch) {
    return isHeld() && holder().equals(node) && epoch() == epoch;
  }
}

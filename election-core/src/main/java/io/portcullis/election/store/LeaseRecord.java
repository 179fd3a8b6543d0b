package io.portcullis.election.store;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The newest lease record of one election, as the store showed it in a response.
 *
 * @param recordVersion identifies the write
 * @param address where the holder can be reached, if it advertises an address
 * @param lease the length that the holder requested: waits use this one, never the waiter's own
 * @param remaining upper limit of the remaining length by the store's own count; the whole length
 *     if the store does not count
 * @param released true once the holder itself released the lease, with its gate shut
 */
public record LeaseRecord(
    RecordVersion recordVersion,
    @Nullable String address,
    Duration lease,
    Duration remaining,
    boolean released) {

  /** Longer than any lease, and far from overflow. */
  private static final Duration MAX_LEASE = Duration.ofDays(365);

  /** Rejects missing components and invalid lengths. */
  public LeaseRecord {
    Objects.requireNonNull(recordVersion, "recordVersion");
    Objects.requireNonNull(lease, "lease");
    Objects.requireNonNull(remaining, "remaining");
    checkLength("lease", lease);
    checkLength("remaining", remaining);
  }

  /** Rejects an invalid length where it is read; such a record then counts as unknown. */
  private static void checkLength(String what, Duration length) {
    if (length.isNegative() || length.compareTo(MAX_LEASE) > 0) {
      throw new IllegalArgumentException(
          what + " in the record is " + length + "; it must be from zero to " + MAX_LEASE);
    }
  }

  /**
   * Returns the value for a store without a record of this election.
   *
   * @param incarnation the store's incarnation, empty if it can't name one without a record
   */
  public static LeaseRecord none(String incarnation) {
    return new LeaseRecord(
        new RecordVersion(incarnation, "", 0, ""), null, Duration.ZERO, Duration.ZERO, false);
  }

  /** True if the store holds no record at all. */
  public boolean isNone() {
    return recordVersion.holder().isEmpty() && recordVersion.epoch() == 0;
  }

  /** Identity of the holder, empty if the lease was never held. */
  public String holder() {
    return recordVersion.holder();
  }

  public long epoch() {
    return recordVersion.epoch();
  }

  /** True if a node holds the lease and has not released it. */
  public boolean isHeld() {
    return !holder().isEmpty() && !released;
  }

  /** True if {@code node} holds the lease under {@code epoch}; a renewal requires exactly this. */
  public boolean isHeldBy(String node, long epoch) {
    return isHeld() && holder().equals(node) && epoch() == epoch;
  }
}

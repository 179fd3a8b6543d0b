package io.portcullis.election.store;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A node's claim to lead, together with what it has seen, so that the store can decide in one
 * atomic step whether the predecessor's lease has surely ended.
 *
 * <p>This type contains the safety argument for taking over (invariant 6). A store grants only in
 * two cases:
 *
 * <ul>
 *   <li>its record is still the same write that the claimant has waited out on its own monotonic
 *       clock ({@code waitedOut}), or
 *   <li>the holder itself released it, and nothing indicates that the store has forgotten a later
 *       tenure.
 * </ul>
 *
 * <p>So every recorded holder had the right to open its gate from the moment of its grant, and a
 * {@code released} mark always covers all earlier tenures too. An empty store grants nothing: it
 * first gets an ownerless record ({@link #initialRecord}), which is then waited out like any other,
 * for zero time if an empty store is trusted. Without this record a store that was emptied twice
 * would look unchanged, and a claim that was in flight for a long time could be granted by a store
 * emptied meanwhile.
 *
 * @param node the identity of the claimant
 * @param address where the claimant can be reached, if known
 * @param lease the requested length
 * @param longestLease the longest lease that a forgotten holder may still have (invariant 9)
 * @param highestEpoch the highest epoch the claimant has seen, 0 if none
 * @param waitedOut the write whose whole lease has passed on the claimant's clock, if any
 * @param trustedIncarnation the store incarnation that the claimant knows, null if none
 * @param trustsEmptyStore whether an empty store may be treated as new
 */
public record Claim(
    String node,
    @Nullable String address,
    Duration lease,
    Duration longestLease,
    long highestEpoch,
    @Nullable RecordVersion waitedOut,
    @Nullable String trustedIncarnation,
    boolean trustsEmptyStore) {

  /** Rejects missing components, and a highest epoch outside {@link EpochRange}. */
  public Claim {
    Objects.requireNonNull(node, "node");
    Objects.requireNonNull(lease, "lease");
    Objects.requireNonNull(longestLease, "longestLease");
    EpochRange.check(highestEpoch);
  }

  /** True if the lease may be granted to this claimant while the store shows {@code current}. */
  public boolean mayTake(LeaseRecord current) {
    if (current.isNone()) {
      return false;
    }
    if (current.recordVersion().equals(waitedOut)) {
      return true;
    }
    return current.released() && remembers(current);
  }

  private boolean remembers(LeaseRecord current) {
    return current.epoch() >= highestEpoch
        && (trustedIncarnation == null
            || trustedIncarnation.equals(current.recordVersion().incarnation()));
  }

  /**
   * The epoch of the grant that replaces {@code current} (invariant 2): the next one, or, if
   * earlier grants may have been forgotten, one above the current Unix second. Forgotten epochs are
   * lower than the current second as long as there was less than one grant per second, on average,
   * since the first.
   *
   * @param unbroken whether the store has surely kept every grant since the one of {@code
   *     current}'s epoch; a renewal or release written since then proves nothing
   * @param unixSecond the current time by the store's clock
   * @throws EpochRangeException if no higher epoch is left
   */
  public long nextEpoch(LeaseRecord current, boolean unbroken, long unixSecond) {
    boolean ownerless = current.holder().isEmpty();
    boolean wentBack = !unbroken || ownerless || current.epoch() < highestEpoch;
    long floor = Math.max(current.epoch(), highestEpoch);
    return EpochRange.after(wentBack ? Math.max(floor, unixSecond) : floor);
  }

  /**
   * The first epoch recorded in an empty store: not below any epoch that this claimant knows of,
   * and low enough that a grant can follow.
   *
   * @param unixSecond the current time by the store's clock
   * @throws EpochRangeException if no grant could follow
   */
  public long initialEpoch(long unixSecond) {
    long base = Math.max(EpochRange.MIN_EPOCH, Math.max(highestEpoch, unixSecond));
    return EpochRange.after(base) - 1;
  }

  /**
   * The ownerless record that is written to an empty store instead of a grant.
   *
   * @param version a version that no other record of this store ever had
   * @param unixSecond the current time by the store's clock, where epochs start
   * @throws EpochRangeException if no grant could follow
   */
  public LeaseRecord initialRecord(String incarnation, String version, long unixSecond) {
    RecordVersion recordVersion =
        new RecordVersion(incarnation, "", initialEpoch(unixSecond), version);
    Duration wait = trustsEmptyStore ? Duration.ZERO : longestLease;
    return new LeaseRecord(recordVersion, null, wait, wait, false);
  }
}

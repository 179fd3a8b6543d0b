package io.portcullis.election.store;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A node's wish to lead, together with what it has seen, so that the store can decide in one atomic
 * step whether the predecessor's lease has surely ended.
 *
 * <p>This is where taking over is made safe (invariant 6). A store grants only in two cases:
 *
 * <ul>
 *   <li>its record still is the very write that the claimant has waited out on its own monotonic
 *       clock ({@code waitedOut}), or
 *   <li>the holder itself released it, and nothing suggests that the store has forgotten a later
 *       tenure.
 * </ul>
 *
 * <p>So every recorded holder had the right to open its gate from the moment of its grant, and a
 * {@code released} mark always speaks for all earlier tenures too. Nothing is granted by an empty
 * store: it gets an ownerless record first ({@link #initialRecord}), which is then waited out like
 * any other, for no time if an empty store is trusted. Without it a store emptied twice would look
 * unchanged, and a claim that was long under way could be granted by a store emptied meanwhile.
 *
 * @param node the identity of the claimant
 * @param address where the claimant can be reached, if known
 * @param lease the length it asks for
 * @param longestLease the longest lease that a forgotten holder may still have (invariant 9)
 * @param highestEpoch the highest epoch the claimant has seen, 0 if none
 * @param waitedOut the write whose whole lease has passed on the claimant's clock, if any
 * @param trustedIncarnation the life of the store that the claimant knows, null if it knows none
 * @param trustsEmptyStore whether an empty store may be taken for a new one
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

  /** Refuses missing parts, and a highest epoch outside {@link EpochRange}. */
  public Claim {
    Objects.requireNonNull(node, "node");
    Objects.requireNonNull(lease, "lease");
    Objects.requireNonNull(longestLease, "longestLease");
    EpochRange.check(highestEpoch);
  }

  /** True if the lease may be given to this claimant while the store shows {@code current}. */
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
   * The epoch of the grant that replaces {@code current} (invariant 2): one more, or, where earlier
   * grants may have been forgotten, above the present Unix second. Forgotten epochs lie below that
   * as long as there was less than one grant a second, on average, since the first.
   *
   * @param unbroken whether the store has surely kept every grant since the one of {@code
   *     current}'s epoch; a renewal or release written since then proves nothing
   * @param unixSecond the present time by the store's clock
   * @throws EpochRangeException if no epoch is left above these
   */
  public long nextEpoch(LeaseRecord current, boolean unbroken, long unixSecond) {
    boolean ownerless = current.holder().isEmpty();
    boolean wentBack = !unbroken || ownerless || current.epoch() < highestEpoch;
    long floor = Math.max(current.epoch(), highestEpoch);
    return EpochRange.after(wentBack ? Math.max(floor, unixSecond) : floor);
  }

  /**
   * The epoch where the memory of an empty store begins: nothing lies above it that this claimant
   * knows of, and a grant can follow.
   *
   * @param unixSecond the present time by the store's clock
   * @throws EpochRangeException if no grant could follow
   */
  public long initialEpoch(long unixSecond) {
    long ground = Math.max(EpochRange.MIN_EPOCH, Math.max(highestEpoch, unixSecond));
    return EpochRange.after(ground) - 1;
  }

  /**
   * The ownerless record that an empty store gets instead of granting.
   *
   * @param version a version that no other record of this store ever had
   * @param unixSecond the present time by the store's clock, where a memory of epochs begins
   * @throws EpochRangeException if no grant could follow
   */
  public LeaseRecord initialRecord(String incarnation, String version, long unixSecond) {
    RecordVersion stamp = new RecordVersion(incarnation, "", initialEpoch(unixSecond), version);
    Duration wait = trustsEmptyStore ? Duration.ZERO : longestLease;
    return new LeaseRecord(stamp, null, wait, wait, false);
  }
}

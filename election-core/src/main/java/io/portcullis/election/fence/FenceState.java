package io.portcullis.election.fence;

import io.portcullis.election.store.EpochRange;
import java.util.Objects;

/**
 * What a fence stands at: only work under this epoch, by this holder, is let through.
 *
 * @param epoch the epoch installed last, 0 if none ever was
 * @param holder the identity of the node that installed it, empty if none did
 */
public record FenceState(long epoch, String holder) {
  /** A fence at which nothing was ever installed. */
  public static final FenceState NONE = new FenceState(0, "");

  /** Refuses a missing part, and an epoch outside {@link EpochRange}. */
  public FenceState {
    Objects.requireNonNull(holder, "holder");
    EpochRange.check(epoch);
  }
}

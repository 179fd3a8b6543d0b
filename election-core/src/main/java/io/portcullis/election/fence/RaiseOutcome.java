package io.portcullis.election.fence;

import io.portcullis.election.fence.EpochFence.FenceState;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Outcome of raising all fences to one epoch. */
sealed interface RaiseOutcome {

  /** All fences have the epoch. */
  record Raised() implements RaiseOutcome {}

  /** One fence has a higher epoch, or the same epoch with another holder. */
  record Superseded(String fence, FenceState by) implements RaiseOutcome {
    String sentence() {
      return "the fence at " + fence + " has epoch " + by.epoch() + " with holder " + by.holder();
    }
  }

  /** At least one fence may not have the epoch. */
  record Failed(String why) implements RaiseOutcome {}

  /** Compares the state after an installation with the requested one. */
  static RaiseOutcome ofInstall(EpochFence fence, FenceState wanted, FenceState found) {
    if (found.equals(wanted)) {
      return new Raised();
    }
    return found.epoch() < wanted.epoch()
        ? new Failed(
            "the fence at " + fence.describe() + " was raised but still has epoch " + found.epoch())
        : new Superseded(fence.describe(), found);
  }

  /** Returns the worse of the two. */
  default RaiseOutcome and(RaiseOutcome other) {
    return rank(other) > rank(this) ? other : this;
  }

  private static int rank(RaiseOutcome outcome) {
    return outcome instanceof Raised ? 0 : outcome instanceof Failed ? 1 : 2;
  }

  /**
   * A raise of all fences to one epoch, in progress or complete. Guarded by its {@link FenceGroup}.
   */
  final class PendingRaise {
    final long epoch;

    /** The incarnation of the store that granted the epoch. */
    final String incarnation;

    final CompletableFuture<RaiseOutcome> outcome = new CompletableFuture<>();

    /** Whether the store no longer shows this node under the epoch. */
    boolean lost;

    /** The state found at a fence instead of this epoch. */
    @Nullable FenceState conflictingState;

    PendingRaise(long epoch, String incarnation) {
      this.epoch = epoch;
      this.incarnation = incarnation;
    }

    boolean isSound() {
      return !lost && conflictingState == null;
    }
  }
}

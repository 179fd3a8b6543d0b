package io.portcullis.election.fence;

import io.portcullis.election.fence.EpochFence.FenceState;

/** How it went to bring all fences to one epoch. */
sealed interface RaiseOutcome {

  /** All of them stand at it. */
  record Raised() implements RaiseOutcome {}

  /** One of them stands higher, or at the same epoch by another holder. */
  record Superseded(String fence, FenceState by) implements RaiseOutcome {
    String sentence() {
      return "the fence at " + fence + " stands at epoch " + by.epoch() + " by " + by.holder();
    }
  }

  /** At least one of them may not stand at it. */
  record Failed(String why) implements RaiseOutcome {}

  /** Compares what an installation of {@code wanted} has left with it. */
  static RaiseOutcome ofInstall(EpochFence fence, FenceState wanted, FenceState found) {
    if (found.equals(wanted)) {
      return new Raised();
    }
    return found.epoch() < wanted.epoch()
        ? new Failed(
            "the fence at " + fence.describe() + " was raised, yet stands at " + found.epoch())
        : new Superseded(fence.describe(), found);
  }

  /** The worse of the two. */
  default RaiseOutcome and(RaiseOutcome other) {
    return rank(other) > rank(this) ? other : this;
  }

  private static int rank(RaiseOutcome outcome) {
    return outcome instanceof Raised ? 0 : outcome instanceof Failed ? 1 : 2;
  }
}

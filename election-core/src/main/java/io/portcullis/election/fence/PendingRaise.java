package io.portcullis.election.fence;

import io.portcullis.election.fence.EpochFence.FenceState;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

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

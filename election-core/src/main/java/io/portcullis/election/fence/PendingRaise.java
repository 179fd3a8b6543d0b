package io.portcullis.election.fence;

import io.portcullis.election.fence.EpochFence.FenceState;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The fences on their way to an epoch, or at it. Guarded by its {@link FenceGroup}. */
final class PendingRaise {
  final long epoch;

  /** The life of the store that granted the epoch. */
  final String incarnation;

  final CompletableFuture<RaiseOutcome> outcome = new CompletableFuture<>();

  /** The store no longer shows this node under the epoch. */
  boolean lost;

  /** What was found at a fence in place of the epoch. */
  @Nullable FenceState conflictingState;

  PendingRaise(long epoch, String incarnation) {
    this.epoch = epoch;
    this.incarnation = incarnation;
  }

  boolean isSound() {
    return !lost && conflictingState == null;
  }
}

package io.portcullis.election.fence;

import io.portcullis.election.fence.EpochFence.FenceFunctions;
import io.portcullis.election.fence.EpochFence.FenceState;
import io.portcullis.election.store.EpochRange;
import io.portcullis.election.store.EpochRangeException;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A fence whose epoch is accepted only if the lease's store can grant above it. Any other epoch is
 * a failure of this fence: candidates do not campaign, no tenure ends because of it, and it is not
 * remembered, so that the election continues as soon as the fence is repaired. The resource itself
 * refuses all work meanwhile, since no node's epoch equals the installed one.
 */
final class RangeCheckedFence implements EpochFence {
  private static final Logger LOG = LoggerFactory.getLogger(RangeCheckedFence.class);

  private final EpochFence fence;
  private final LongSupplier highestToFollow;

  /** The epoch that was rejected last, so that each is logged once. */
  private volatile long refused;

  /**
   * Wraps {@code fence}.
   *
   * @param highestToFollow the highest epoch above which the store can grant now
   */
  RangeCheckedFence(EpochFence fence, LongSupplier highestToFollow) {
    this.fence = fence;
    this.highestToFollow = highestToFollow;
  }

  @Override
  public String describe() {
    return fence.describe();
  }

  @Override
  public CompletionStage<FenceState> read() {
    return fence.read().thenApply(state -> check(state, 0));
  }

  @Override
  public CompletionStage<FenceState> install(long epoch, String holder) {
    if (!EpochRange.contains(epoch)) {
      throw new IllegalArgumentException("a fence can't be raised to epoch " + epoch);
    }
    return fence.install(epoch, holder).thenApply(state -> check(state, epoch));
  }

  /**
   * Rejects an invalid state. An epoch that this node was granted and has just installed is valid,
   * even if none can follow it.
   */
  private FenceState check(FenceState state, long installed) {
    long highest = Math.min(highestToFollow.getAsLong(), EpochRange.MAX_EPOCH - 1);
    if (state.epoch() <= highest || state.epoch() == installed) {
      return state;
    }
    String why =
        EpochRangeException.unreachable(state.epoch(), highest)
            .sentence("the installed epoch", fence.repair());
    if (refused != state.epoch()) {
      refused = state.epoch();
      LOG.warn("portcullis fence={} epoch not adopted: {}", fence.describe(), why);
    }
    throw new IllegalStateException(why);
  }

  @Override
  public @Nullable FenceFunctions functions() {
    return fence.functions();
  }

  @Override
  public String repair() {
    return fence.repair();
  }

  @Override
  public boolean isInRecovery() {
    return fence.isInRecovery();
  }

  @Override
  public void close() {
    fence.close();
  }
}

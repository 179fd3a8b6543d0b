package io.portcullis.election.store;

import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One election's lease in one shared store.
 *
 * <p>Every store must keep these promises:
 *
 * <ol>
 *   <li>Each request is one atomic step; a request delivered twice or late does no more harm than a
 *       request delivered once and in time, because each request names the node, the epoch and the
 *       record that it depends on.
 *   <li>It grants by {@link Claim#mayTake} or more strictly, under an epoch not below {@link
 *       Claim#nextEpoch}.
 *   <li>It responds {@link LeaseResponse.Granted} only after the change is as durable as the store
 *       can make it.
 *   <li>It responds {@link LeaseResponse.Unknown} whenever it is not certain of the result, also if
 *       a write may have happened.
 *   <li>Whenever it may have forgotten something, it has another incarnation. A store that counts
 *       leases itself grants no claim until it has been up for the claim's {@code longestLease}, so
 *       that nodes which have seen nothing are safe too.
 *   <li>It never repeats a request by itself, and never sends one later than it was asked to.
 * </ol>
 */
public interface LeaseStore extends AutoCloseable {

  /**
   * Sends a request to the store. Returns at once; the response may arrive on any thread, late, or
   * never. A stage that fails, or a call that throws, counts as {@link LeaseResponse.Unknown}.
   */
  CompletionStage<LeaseResponse> ask(LeaseRequest request);

  /**
   * Returns this store's implementation of one of {@link StoreFeatures}, or null if it has none. A
   * store that wraps another returns the wrapped store's implementation, unless it has its own.
   */
  default <T> @Nullable T feature(Class<T> type) {
    return type.isInstance(this) ? type.cast(this) : null;
  }

  /** Frees the resources of the store on this side. Does not touch the lease. */
  @Override
  void close();
}

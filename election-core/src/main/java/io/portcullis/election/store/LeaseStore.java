package io.portcullis.election.store;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
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
   * Sets the listener for hints that the record may have changed. Hints may be lost, duplicated or
   * wrong: they only make the next request come sooner. A node's own writes cause no hint.
   */
  default void onHint(Runnable wake) {}

  /**
   * Sets the listener for records that the store pushes without a request. Each is newer than all
   * records before it, whether pushed or in a response, and is delivered before the response to any
   * request that was served later. A node's own writes are not pushed. A store that pushes a record
   * sends no hint for it.
   */
  default void onRecordPushed(Consumer<LeaseRecord> listener) {}

  /**
   * Suffix of every log line about this election, such as {@code scope_key=42}; empty for most
   * stores. Called once, before the first request.
   */
  default String logSuffix() {
    return "";
  }

  /**
   * Counters of this side by name, for display; they only increase. Thread-safe; empty for most
   * stores.
   */
  default Map<String, Long> counts() {
    return Map.of();
  }

  /**
   * Why this node's part of the store can't do its share although it responds, for example because
   * a disk can't store a vote; null if there is no such problem. Thread-safe; for display only.
   */
  default @Nullable String degradedReason() {
    return null;
  }

  /**
   * The highest epoch above which this store could grant now. A higher epoch of a fence is not
   * adopted by the election, see {@link io.portcullis.election.fence.FencedStore}. Thread-safe.
   */
  default long highestEpochToFollow() {
    return EpochRange.MAX_EPOCH - 1;
  }

  /**
   * The peers that this side of the store can't reach, so that it can respond at most from what it
   * knew before; null if it reaches enough. Thread-safe; for display only.
   */
  default @Nullable String outage() {
    return null;
  }

  /**
   * The nodes that form the store, including this one, in a fixed order; empty if it knows of none.
   * Thread-safe; for display only.
   */
  default List<MemberInfo> members() {
    return List.of();
  }

  /**
   * Why the lease can't be handed over to {@code node} by name now; null if it can. Called on the
   * leader's side, on any thread; the result holds only at that moment.
   */
  default @Nullable String objectionTo(String node) {
    return "this kind of store can't hand over to a node by name; leave the name out, and the first"
        + " node that claims the lease leads";
  }

  /**
   * The node that requests leadership and has a higher priority than this node while it leads; null
   * if there is none, or the store does not know. Thread-safe. It has no effect by itself.
   */
  default @Nullable PreferredNode preferred() {
    return null;
  }

  /**
   * Sends this node's priority request to the current leader, if the store supports it. It has no
   * effect by itself, and does not touch the lease. Must return at once; the request may get lost.
   */
  default void sendPriorityRequest(PriorityRequest request) {}

  /**
   * Sets the listener for priority requests of other nodes, whichever node leads. They arrive on
   * any thread, and may be lost, duplicated or late; a node's own requests may arrive too.
   */
  default void onPriorityRequest(Consumer<PriorityRequest> listener) {}

  /**
   * Reports that this node's gate has opened or shut, after it did, for a store that publishes it.
   * Must return at once.
   */
  default void leadershipChanged(boolean leading) {}

  /** Frees the resources of the store on this side. Does not touch the lease. */
  @Override
  void close();
}

package io.portcullis.election.store;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One election's lease in one shared store.
 *
 * <p>Promises every store must keep:
 *
 * <ol>
 *   <li>Each request is one atomic step; a request delivered twice or late does no more harm than
 *       once and in time, because each names the node, the epoch and the record it rests on.
 *   <li>It grants by {@link Claim#mayTake} or more strictly, under an epoch not below {@link
 *       Claim#nextEpoch}.
 *   <li>{@link LeaseResponse.Granted} is said only after the change is as durable as the store can
 *       make it.
 *   <li>Whatever it can't tell for certain is {@link LeaseResponse.Unknown}, also when a write may
 *       have happened.
 *   <li>Whenever it may have forgotten something, its incarnation is another one. A store that
 *       counts leases itself grants no claim until it has lived for the claim's {@code
 *       longestLease}, so that nodes which have seen nothing are safe too.
 *   <li>It never repeats a request by itself, and never sends one later than it was asked to.
 * </ol>
 */
public interface LeaseStore extends AutoCloseable {

  /**
   * Asks the store. Returns at once; the answer may come on any thread, late, or never. A stage
   * that fails, or a call that throws, counts as {@link LeaseResponse.Unknown}.
   */
  CompletionStage<LeaseResponse> ask(LeaseRequest request);

  /**
   * Names who wants to be woken when something may have changed. Hints may be lost, doubled or
   * wrong: they only make the next question come sooner. A node's own writes are no news to it.
   */
  default void onHint(Runnable wake) {}

  /**
   * Names who is to be told of records that the store learns of by itself. Each is newer than all
   * records before it, told or answered, and is told before the answer to any request that was
   * served later. A node's own writes are no news to it. Whoever tells of a record gives no hint.
   */
  default void onRecordPushed(Consumer<LeaseRecord> told) {}

  /**
   * What every log line about this election carries besides, such as {@code scope_key=42}; empty
   * for most. Asked once, before the first request.
   */
  default String logSuffix() {
    return "";
  }

  /**
   * What was counted on this side, by name, for people: numbers that only rise. Any thread may ask;
   * empty for most.
   */
  default Map<String, Long> counts() {
    return Map.of();
  }

  /**
   * What keeps this node's part of the store from doing its share although it answers, such as a
   * disk that takes no vote; null if nothing does. Any thread may ask; for people only.
   */
  default @Nullable String degradedReason() {
    return null;
  }

  /**
   * The highest epoch above which this store could grant now. What a fence stands at beyond it is
   * not taken over into the election, see {@link io.portcullis.election.fence.FencedStore}. Any
   * thread may ask.
   */
  default long highestEpochToFollow() {
    return EpochRange.MAX_EPOCH - 1;
  }

  /**
   * Whom this side of the store does not reach, so that it can answer at most from what it knew
   * before; null if it reaches enough. Any thread may ask; for people only.
   */
  default @Nullable String outage() {
    return null;
  }

  /**
   * The nodes among which the store lives, this one included, in a fixed order; empty if it knows
   * of none. Any thread may ask; for people only.
   */
  default List<MemberInfo> members() {
    return List.of();
  }

  /**
   * Why {@code node} can't be handed the lease by name now; null if it can. Asked of the leader's
   * side, by any thread; an answer is worth no more than the moment it was given.
   */
  default @Nullable String objectionTo(String node) {
    return "this kind of store can't hand over to a node by name; leave the name out, and whoever"
        + " comes first will lead";
  }

  /**
   * Who wants to lead and ranks above this node while it leads; null if nobody does, or the store
   * can't tell. Any thread may ask. It moves nothing by itself.
   */
  default @Nullable PreferredNode preferred() {
    return null;
  }

  /**
   * Carries this node's wish to whoever leads, if the store has a way to. It moves nothing by
   * itself, and touches no lease. Must return at once; it may get lost.
   */
  default void sendPriorityRequest(PriorityRequest wish) {}

  /**
   * Names who is to be told of the wishes of other nodes, whoever leads. They come on any thread,
   * and may be lost, doubled or late; a node's own may come too.
   */
  default void onPriorityRequest(Consumer<PriorityRequest> heard) {}

  /**
   * Tells that this node's gate has opened or shut, after it did, for a store that shows it to the
   * world. Must return at once.
   */
  default void leadershipChanged(boolean now) {}

  /** Frees what the store holds on this side. Does not touch the lease. */
  @Override
  void close();
}

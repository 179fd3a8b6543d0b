package io.portcullis.election.store;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Optional interfaces of a {@link LeaseStore}. A store implements those that it supports; the
 * election finds them with {@link LeaseStore#feature}. None of them can grant, extend or end a
 * lease, so an election is safe with any combination, including none.
 */
public final class StoreFeatures {
  private StoreFeatures() {}

  /** A store that sends hints that the record may have changed. */
  public interface HintSource {
    /**
     * Sets the listener for hints. Hints may be lost, duplicated or wrong: they only make the next
     * request come sooner. A node's own writes cause no hint.
     */
    void onHint(Runnable wake);
  }

  /** A store that pushes records without a request. */
  public interface RecordPushSource {
    /**
     * Sets the listener for pushed records. Each is newer than all records before it, whether
     * pushed or in a response, and is delivered before the response to any request that was served
     * later. A node's own writes are not pushed. A store that pushes a record sends no hint for it.
     */
    void onRecordPushed(Consumer<LeaseRecord> listener);
  }

  /** A store that carries priority requests between nodes. They have no effect by themselves. */
  public interface PriorityRequestChannel {
    /**
     * Sends this node's priority request to the current leader. Does not touch the lease. Must
     * return at once; the request may get lost.
     */
    void sendPriorityRequest(PriorityRequest request);

    /**
     * Sets the listener for priority requests of other nodes, whichever node leads. They arrive on
     * any thread, and may be lost, duplicated or late; a node's own requests may arrive too.
     */
    void onPriorityRequest(Consumer<PriorityRequest> listener);
  }

  /** A store that knows the nodes of the election by name. Thread-safe. */
  public interface MemberDirectory {
    /** The nodes that form the store, including this one, in a fixed order; for display only. */
    List<MemberInfo> members();

    /**
     * Why the lease can't be handed over to {@code node} by name now; null if it can. Called on the
     * leader's side; the result holds only at that moment.
     */
    @Nullable String objectionTo(String node);

    /**
     * The node that requests leadership and has a higher priority than this node while it leads;
     * null if there is none. It has no effect by itself.
     */
    @Nullable PreferredNode preferred();
  }

  /** A store that reports what is wrong with it, for display only. Thread-safe. */
  public interface StoreDiagnostics {
    /**
     * Why this node's part of the store can't do its share although it responds, for example
     * because a disk can't store a vote; null if there is no such problem.
     */
    default @Nullable String degradedReason() {
      return null;
    }

    /**
     * What this side of the store can't reach, so that it can respond at most from what it knew
     * before; null if it reaches enough.
     */
    default @Nullable String outage() {
      return null;
    }
  }

  /** A store with counters of its own. Thread-safe. */
  public interface StoreCounters {
    /** Counters of this side by name, for display; they only increase. */
    Map<String, Long> counts();
  }

  /** A store that can't grant above every valid epoch. Thread-safe. */
  public interface EpochLimit {
    /**
     * The highest epoch above which this store could grant now. A higher epoch of a fence is not
     * adopted by the election, see {@link io.portcullis.election.fence.FencedStore}.
     */
    long highestEpochToFollow();
  }

  /** A store that adds a suffix to every log line about its election. */
  public interface LogSuffixSource {
    /** The suffix, such as {@code scope_key=42}. Called once, before the first request. */
    String logSuffix();
  }

  /** A store that publishes whether this node leads. */
  public interface LeadershipObserver {
    /** Reports that this node's gate has opened or shut, after it did. Must return at once. */
    void leadershipChanged(boolean leading);
  }
}

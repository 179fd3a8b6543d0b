package io.portcullis.election.store;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
    void onHint(Runnable listener);
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

  /** A store that reports its problems, for display only. Thread-safe. */
  public interface StoreDiagnostics {
    /**
     * Why this node's part of the store is degraded although it responds, for example because a
     * disk can't store a vote; null if there is no such problem.
     */
    default @Nullable String degradedReason() {
      return null;
    }

    /**
     * What this node's part of the store can't reach, so that it can respond only from what it knew
     * before; null if it reaches enough.
     */
    default @Nullable String outage() {
      return null;
    }
  }

  /** A store with counters of its own. Thread-safe. */
  public interface StoreCounters {
    /** Counters of this node's part by name, for display; they only increase. */
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

  /** A store that may be unable to grant a lease to any node for some time. Thread-safe. */
  public interface GrantDelaySource {
    /**
     * Why the store grants the lease to no node now, as of its last response; null if it could. For
     * display only: the store decides each claim by itself.
     */
    @Nullable GrantDelay grantDelay();
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

  /**
   * A time in which a store grants the lease to no node.
   *
   * @param reason the first half of a sentence, such as "Redis has run for 4 s"
   * @param remaining how much longer
   * @param page where this is explained
   */
  public record GrantDelay(String reason, Duration remaining, String page) {
    private static final Duration ALMOST_A_SECOND = Duration.ofSeconds(1).minusNanos(1);

    /** The whole sentence, with the remaining time in whole seconds, rounded up. */
    public String sentence() {
      long seconds = remaining.plus(ALMOST_A_SECOND).toSeconds();
      return reason + " and grants nothing for another " + seconds + " s (" + page + ")";
    }
  }

  /**
   * A node that the store knows by name, for display; decisions do not depend on it.
   *
   * @param name its name in the configuration
   * @param address where the other members reach it
   * @param identity the process that currently acts as this member, null if none is connected
   * @param self whether it is this node
   */
  public record MemberInfo(String name, String address, @Nullable String identity, boolean self) {

    /** Whether this node has a connection to it. */
    public boolean isReachable() {
      return identity != null;
    }
  }

  /**
   * A node that requests leadership and has a higher priority than the current leader.
   *
   * @param node its name, as used in a release
   * @param sinceNanos since when it has been healthy without interruption, by the monotonic clock
   */
  public record PreferredNode(String node, long sinceNanos) {}

  /**
   * A standby's request to the current leader for a handover, because the standby is healthy and
   * may have a higher priority. It is a hint and gives no node a right: it may be lost, duplicated,
   * late or forged. It names the tenure it refers to, so that a late request moves no other leader.
   *
   * @param node the node that requests leadership
   * @param priority its priority
   * @param epoch the epoch of the tenure that it would follow
   * @param readyFor how long it has been ready to lead without interruption
   */
  public record PriorityRequest(String node, int priority, long epoch, Duration readyFor) {

    /** Longer than any wait, and far from overflow. */
    private static final Duration MAX_READY_FOR = Duration.ofDays(365);

    /** Maximum length of a request as text; longer than any identity needs. */
    private static final int MAX_CHARS = 1024;

    private static final int PARTS = 4;

    /** Rejects missing components; caps {@code readyFor} at a year. */
    public PriorityRequest {
      Objects.requireNonNull(node, "node");
      if (readyFor.isNegative()) {
        throw new IllegalArgumentException("readyFor is " + readyFor + "; it must not be negative");
      }
      readyFor = readyFor.compareTo(MAX_READY_FOR) < 0 ? readyFor : MAX_READY_FOR;
    }

    /** The request as one line of text, for stores that transport text. */
    public String text() {
      return priority + " " + epoch + " " + readyFor.toMillis() + " " + node;
    }

    /** Parses {@link #text}; null if it is not a valid request. */
    public static @Nullable PriorityRequest read(String text) {
      String[] parts = text.split(" ", PARTS);
      if (text.length() > MAX_CHARS || parts.length != PARTS || parts[3].isBlank()) {
        return null;
      }
      try {
        return new PriorityRequest(
            parts[3],
            Integer.parseInt(parts[0]),
            Long.parseLong(parts[1]),
            Duration.ofMillis(Long.parseLong(parts[2])));
      } catch (IllegalArgumentException e) {
        return null;
      }
    }
  }
}

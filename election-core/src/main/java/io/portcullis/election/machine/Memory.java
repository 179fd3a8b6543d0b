package io.portcullis.election.machine;

import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.Timing;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseResponse.Granted;
import io.portcullis.election.store.RecordVersion;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a node remembers across role changes. It only grows: epochs never fall, and a spent epoch
 * stays spent.
 */
public record Memory(
    EpochMemory epochs, StoreMemory store, LeaderMemory leaders, RequestMemory requestMemory) {

  private static final long MAX_HINT_INTERVAL_NANOS = 100_000_000;

  /** Initial memory of a node that has seen nothing. */
  static final Memory FRESH =
      new Memory(EpochMemory.NONE, StoreMemory.NONE, LeaderMemory.NONE, RequestMemory.NONE);

  /**
   * Epochs.
   *
   * @param highest the highest epoch ever seen, 0 if none
   * @param spent the highest epoch this node has released or lost; neither it nor any lower one
   *     ever opens the gate again (invariant 7)
   */
  public record EpochMemory(long highest, long spent) {
    static final EpochMemory NONE = new EpochMemory(0, 0);

    EpochMemory withSeen(long epoch) {
      return new EpochMemory(Math.max(highest, epoch), spent);
    }

    EpochMemory withSpent(long epoch) {
      return new EpochMemory(highest, Math.max(spent, epoch));
    }
  }

  /**
   * What the store has shown.
   *
   * @param longestLease the longest lease ever seen in a record
   * @param incarnation the store's incarnation as last seen
   * @param doubtUntilNanos set when the store showed less than was seen before: until then nothing
   *     it shows is trusted, since a tenure that it forgot may still last; null if there is no
   *     doubt
   * @param observed the newest record seen
   */
  public record StoreMemory(
      Duration longestLease,
      @Nullable String incarnation,
      @Nullable Long doubtUntilNanos,
      @Nullable ObservedRecord observed) {
    static final StoreMemory NONE = new StoreMemory(Duration.ZERO, null, null, null);

    StoreMemory withIncarnation(String seen) {
      return new StoreMemory(longestLease, seen, doubtUntilNanos, observed);
    }
  }

  /**
   * Who leads.
   *
   * @param leader the last known leader, this node included; null while none is known
   * @param last the last announced leader, kept even when no leader is known any more
   */
  public record LeaderMemory(@Nullable Leader leader, @Nullable Leader last) {
    static final LeaderMemory NONE = new LeaderMemory(null, null);

    LeaderMemory with(@Nullable Leader now) {
      return new LeaderMemory(now, now == null ? last : now);
    }
  }

  /**
   * Requests to the store.
   *
   * @param sent number of requests sent so far
   * @param lastAskedNanos when the last of them was sent, 0 if none was
   */
  public record RequestMemory(long sent, long lastAskedNanos) {
    static final RequestMemory NONE = new RequestMemory(0, 0);
  }

  public long highestEpoch() {
    return epochs.highest();
  }

  long spentEpoch() {
    return epochs.spent();
  }

  @Nullable String incarnation() {
    return store.incarnation();
  }

  public @Nullable ObservedRecord observed() {
    return store.observed();
  }

  public @Nullable Leader leader() {
    return leaders.leader();
  }

  public @Nullable Leader lastLeader() {
    return leaders.last();
  }

  /** Number of requests sent so far. */
  long requests() {
    return requestMemory.sent();
  }

  /** True if {@code seen} shows less than was seen before: the store has forgotten something. */
  boolean isContradictedBy(LeaseRecord seen) {
    boolean ownerLost = highestEpoch() > 0 && seen.holder().isEmpty();
    String incarnation = incarnation();
    return ownerLost
        || seen.epoch() < highestEpoch()
        || (incarnation != null && !incarnation.equals(incarnationIn(seen)));
  }

  /**
   * A store without a record may have no incarnation to name: then it still counts as the known
   * one.
   */
  private @Nullable String incarnationIn(LeaseRecord seen) {
    String shown = seen.recordVersion().incarnation();
    return seen.isNone() && shown.isEmpty() ? incarnation() : shown;
  }

  /** The longest lease a holder unknown to the store may have (invariant 9). */
  Duration longestLease(Duration configured) {
    Duration seen = store.longestLease();
    return seen.compareTo(configured) > 0 ? seen : configured;
  }

  /** The write whose holder's right has surely ended, null if there is none. */
  @Nullable RecordVersion waitedOutBy(StepContext now) {
    ObservedRecord observed = observed();
    return observed != null && observed.hasEndedBy(now) ? observed.record().recordVersion() : null;
  }

  /** False while the store has shown less than was seen before, and that is not waited out yet. */
  boolean mayClaimAt(StepContext now) {
    ObservedRecord observed = observed();
    return observed == null || observed.trusted() || observed.hasEndedBy(now);
  }

  Memory withObserved(LeaseRecord seen, ElectionConfig config, StepContext arrived) {
    Long doubt = doubtAfter(seen, config, arrived);
    ObservedRecord next =
        ObservedRecord.of(seen, observed(), doubt, config.timing(), arrived.nanos());
    StoreMemory shown =
        new StoreMemory(longestLease(seen.lease()), incarnationIn(seen), doubt, next);
    return new Memory(epochs.withSeen(seen.epoch()), shown, leaders, requestMemory)
        .withLeader(leaderIn(next, config.identity(), arrived));
  }

  private @Nullable Long doubtAfter(LeaseRecord seen, ElectionConfig config, StepContext arrived) {
    ObservedRecord observed = observed();
    if (isContradictedBy(seen) && !(observed != null && observed.shows(seen))) {
      return arrived.plus(longestLease(config.timing().longestLease()).toNanos());
    }
    Long doubtUntilNanos = store.doubtUntilNanos();
    return doubtUntilNanos != null && arrived.hasReached(doubtUntilNanos) ? null : doubtUntilNanos;
  }

  /** There is no leader by a record that has run out, nor by one that a forgetful store shows. */
  private static @Nullable Leader leaderIn(
      ObservedRecord observed, String self, StepContext arrived) {
    LeaseRecord seen = observed.record();
    return seen.isHeld()
            && !seen.holder().equals(self)
            && observed.trusted()
            && !observed.hasEndedBy(arrived)
        ? new Leader(seen.holder(), seen.address(), seen.epoch())
        : null;
  }

  Memory withGrant(Granted won) {
    return new Memory(
        epochs.withSeen(won.epoch()),
        store.withIncarnation(won.incarnation()),
        leaders,
        requestMemory);
  }

  Memory withSelfLeading(ElectionConfig config, long epoch) {
    return withLeader(new Leader(config.identity(), config.address(), epoch));
  }

  private Memory withLeader(@Nullable Leader now) {
    return new Memory(epochs, store, leaders.with(now), requestMemory);
  }

  Memory withSpentEpoch(long epoch) {
    Memory spent = new Memory(epochs.withSpent(epoch), store, leaders, requestMemory);
    Leader leader = leader();
    return leader != null && leader.epoch() == epoch ? spent.withLeader(null) : spent;
  }

  Memory withRequestSent(StepContext now) {
    return new Memory(epochs, store, leaders, new RequestMemory(requests() + 1, now.nanos()));
  }

  boolean isTooSoonForAHint(StepContext now, Timing timing) {
    return !now.hasReached(nextHintedAskNanos(timing));
  }

  /**
   * Earliest time for a request triggered by a hint, except on a standby. Hints make a node send
   * requests at most this often, and no more often than a failed renewal would. The interval is
   * short enough for a leader that is notified of its loss.
   */
  long nextHintedAskNanos(Timing timing) {
    return nextHintedAskNanos(Math.min(MAX_HINT_INTERVAL_NANOS, timing.retryPauseNanos(1)));
  }

  /** True unless the record last seen came from a store that had forgotten something. */
  boolean trustsWhatItSaw() {
    ObservedRecord observed = observed();
    return observed != null && observed.trusted();
  }

  /** Earliest time for a request triggered by a hint: {@code floorNanos} after the last request. */
  long nextHintedAskNanos(long floorNanos) {
    return requestMemory.lastAskedNanos() + floorNanos;
  }
}

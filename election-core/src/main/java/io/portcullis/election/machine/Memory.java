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
 *
 * @param highestEpoch the highest epoch ever seen, 0 if none
 * @param spentEpoch the highest epoch this node has released or lost; neither it nor any lower one
 *     ever opens the gate again (invariant 7)
 * @param longestLease the longest lease ever seen in a record
 * @param incarnation the store's incarnation as last seen
 * @param doubtUntilNanos set when the store showed less than was seen before: until then nothing it
 *     shows is trusted, since a tenure that it forgot may still last; null if there is no doubt
 * @param observed the newest record seen
 * @param leader the last known leader, this node included; null while none is known
 * @param lastLeader the last announced leader, kept even when no leader is known any more
 * @param requests number of requests sent so far
 * @param lastAskedNanos when the last of them was sent, 0 if none was
 */
public record Memory(
    long highestEpoch,
    long spentEpoch,
    Duration longestLease,
    @Nullable String incarnation,
    @Nullable Long doubtUntilNanos,
    @Nullable ObservedRecord observed,
    @Nullable Leader leader,
    @Nullable Leader lastLeader,
    long requests,
    long lastAskedNanos) {

  private static final long MAX_HINT_INTERVAL_NANOS = 100_000_000;

  /** Initial memory of a node that has seen nothing. */
  static final Memory FRESH = new Memory(0, 0, Duration.ZERO, null, null, null, null, null, 0, 0);

  /** True if {@code seen} shows less than was seen before: the store has forgotten something. */
  boolean isContradictedBy(LeaseRecord seen) {
    boolean ownerLost = highestEpoch > 0 && seen.holder().isEmpty();
    return ownerLost
        || seen.epoch() < highestEpoch
        || (incarnation != null && !incarnation.equals(incarnationIn(seen)));
  }

  /**
   * A store without a record may have no incarnation to name: then it still counts as the known
   * one.
   */
  private @Nullable String incarnationIn(LeaseRecord seen) {
    String shown = seen.recordVersion().incarnation();
    return seen.isNone() && shown.isEmpty() ? incarnation : shown;
  }

  /** The longest lease a holder unknown to the store may have (invariant 9). */
  Duration longestLease(Duration configured) {
    return longestLease.compareTo(configured) > 0 ? longestLease : configured;
  }

  /** The write whose holder's right has surely ended, null if there is none. */
  @Nullable RecordVersion waitedOutBy(StepContext now) {
    return observed != null && observed.hasEndedBy(now) ? observed.record().recordVersion() : null;
  }

  /** False while the store has shown less than was seen before, and that is not waited out yet. */
  boolean mayClaimAt(StepContext now) {
    return observed == null || observed.trusted() || observed.hasEndedBy(now);
  }

  Memory withObserved(LeaseRecord seen, ElectionConfig config, StepContext arrived) {
    Long doubt = doubtAfter(seen, config, arrived);
    ObservedRecord next =
        ObservedRecord.of(seen, observed, doubt, config.timing(), arrived.nanos());
    return new Memory(
            Math.max(highestEpoch, seen.epoch()),
            spentEpoch,
            longestLease(seen.lease()),
            incarnationIn(seen),
            doubt,
            next,
            leader,
            lastLeader,
            requests,
            lastAskedNanos)
        .withLeader(leaderIn(next, config.identity(), arrived));
  }

  private @Nullable Long doubtAfter(LeaseRecord seen, ElectionConfig config, StepContext arrived) {
    if (isContradictedBy(seen) && !(observed != null && observed.shows(seen))) {
      return arrived.plus(longestLease(config.timing().longestLease()).toNanos());
    }
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
        Math.max(highestEpoch, won.epoch()),
        spentEpoch,
        longestLease,
        won.incarnation(),
        doubtUntilNanos,
        observed,
        leader,
        lastLeader,
        requests,
        lastAskedNanos);
  }

  Memory withSelfLeading(ElectionConfig config, long epoch) {
    return withLeader(new Leader(config.identity(), config.address(), epoch));
  }

  private Memory withLeader(@Nullable Leader now) {
    return new Memory(
        highestEpoch,
        spentEpoch,
        longestLease,
        incarnation,
        doubtUntilNanos,
        observed,
        now,
        now == null ? lastLeader : now,
        requests,
        lastAskedNanos);
  }

  Memory withSpentEpoch(long epoch) {
    Memory spent =
        new Memory(
            highestEpoch,
            Math.max(spentEpoch, epoch),
            longestLease,
            incarnation,
            doubtUntilNanos,
            observed,
            leader,
            lastLeader,
            requests,
            lastAskedNanos);
    return leader != null && leader.epoch() == epoch ? spent.withLeader(null) : spent;
  }

  Memory withRequestSent(StepContext now) {
    return new Memory(
        highestEpoch,
        spentEpoch,
        longestLease,
        incarnation,
        doubtUntilNanos,
        observed,
        leader,
        lastLeader,
        requests + 1,
        now.nanos());
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
    return observed != null && observed.trusted();
  }

  /** Earliest time for a request triggered by a hint: {@code floorNanos} after the last request. */
  long nextHintedAskNanos(long floorNanos) {
    return lastAskedNanos + floorNanos;
  }
}

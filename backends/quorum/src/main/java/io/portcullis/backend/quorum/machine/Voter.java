package io.portcullis.backend.quorum.machine;

import io.portcullis.backend.quorum.machine.QuorumMessage.Heartbeat;
import io.portcullis.backend.quorum.machine.QuorumMessage.RequestVote;
import io.portcullis.election.store.EpochRange;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Decides on votes and promises of one member, and never contradicts an earlier one.
 *
 * <ul>
 *   <li>One vote per term: the ballot records it across restarts.
 *   <li>No vote while a {@link Promise} lasts, not even in higher terms.
 *   <li>After a restart no vote for the length of the longest promise ever given, because the time
 *       at which it was given is not recorded.
 *   <li>No vote and no promise without a ballot, or with one that can't be saved.
 * </ul>
 */
final class Voter {
  /** Maximum distance of a credible term above both the own term and the current Unix second. */
  private static final long MAX_TERM_LEAD = 1L << 32;

  private @Nullable HardState ballot;
  private @Nullable Promise promise;
  private final long boundUntilNanos;
  private boolean bound;
  private @Nullable String storageProblem;

  Voter(@Nullable HardState stored, @Nullable String problem, MemberStepContext now) {
    this.ballot = stored;
    this.storageProblem = problem;
    Duration wait = stored == null ? Duration.ZERO : stored.longestPromise();
    this.bound = !wait.isZero();
    this.boundUntilNanos = now.plus(wait);
  }

  /** Ends promises and waits that have expired. Returns true if that removed the last one. */
  boolean passTime(MemberStepContext now) {
    boolean wasBound = bound || promise != null;
    bound &= !now.hasReached(boundUntilNanos);
    if (promise != null && !promise.isLiveAt(now)) {
      promise = null;
    }
    return wasBound && !bound && promise == null;
  }

  /** When the next promise or wait expires; empty if there is none. */
  OptionalLong wakeAtNanos() {
    if (promise == null) {
      return bound ? OptionalLong.of(boundUntilNanos) : OptionalLong.empty();
    }
    return bound && boundUntilNanos - promise.untilNanos() < 0
        ? OptionalLong.of(boundUntilNanos)
        : OptionalLong.of(promise.untilNanos());
  }

  /** True if it has a ballot: a member without one must recover first. */
  boolean hasBallot() {
    return ballot != null;
  }

  /** The highest term it has taken part in, 0 if none. */
  long term() {
    return ballot == null ? 0 : ballot.term();
  }

  Duration longestPromise() {
    return ballot == null ? Duration.ZERO : ballot.longestPromise();
  }

  @Nullable HardState ballot() {
    return ballot;
  }

  @Nullable Promise promise() {
    return promise;
  }

  /** The reason why it can't save its ballot, null if it can. */
  @Nullable String storageProblem() {
    return storageProblem;
  }

  void setStorageProblem(@Nullable String why) {
    storageProblem = why;
  }

  /** When every promise from before the restart has expired; null if there is none to wait for. */
  @Nullable Long boundUntilNanos() {
    return bound ? boundUntilNanos : null;
  }

  /** Starts with a first ballot, which a {@code Save} effect makes durable. */
  void begin(HardState first, List<QuorumEffect> out) {
    keep(first, out);
  }

  /** True if it may vote or campaign in terms above its own. */
  boolean isFree() {
    return ballot != null && storageProblem == null && !bound && promise == null;
  }

  boolean wouldVoteIn(long term) {
    return isFree() && term > term();
  }

  /** Returns whether it votes for {@code candidate}. The vote is saved before the reply is sent. */
  boolean vote(String candidate, RequestVote request, List<QuorumEffect> out) {
    HardState mine = ballot;
    if (mine == null || !isFree() || request.term() < mine.term()) {
      return false;
    }
    if (request.term() == mine.term()) {
      if (mine.votedFor() != null) {
        return candidate.equals(mine.votedFor());
      }
    }
    keep(new HardState(request.term(), candidate, mine.longestPromise()), out);
    return true;
  }

  /** Returns whether it gives the leader of this heartbeat the promise that it asks for. */
  boolean promise(
      int leader,
      Heartbeat heartbeat,
      Duration lease,
      MemberStepContext now,
      List<QuorumEffect> out) {
    HardState mine = ballot;
    if (mine == null || storageProblem != null || heartbeat.term() < mine.term()) {
      return false;
    }
    boolean newTerm = heartbeat.term() > mine.term();
    boolean longer = lease.compareTo(mine.longestPromise()) > 0;
    if (newTerm || longer) {
      keep(
          new HardState(
              heartbeat.term(),
              newTerm ? null : mine.votedFor(),
              longer ? lease : mine.longestPromise()),
          out);
    }
    promise = new Promise(leader, heartbeat.term(), now.plus(lease));
    return true;
  }

  /** Ends the promise to this leader in this term; a promise to any other leader remains. */
  void release(int leader, long term) {
    if (promise != null && promise.isTo(leader, term)) {
      promise = null;
    }
  }

  /**
   * Returns false for terms that no correct member could have reached: outside the range of all
   * epochs, or so far above all known terms that one message could use up most of the remaining
   * range.
   */
  boolean findsCredible(long term, MemberStepContext now) {
    return EpochRange.contains(term) && term <= farthest(MAX_TERM_LEAD, now);
  }

  /**
   * The highest known term above which every member would still vote, however little it has seen.
   */
  long highestToFollow(MemberStepContext now) {
    return Math.min(farthest(MAX_TERM_LEAD / 2, now), EpochRange.MAX_EPOCH - 1);
  }

  private long farthest(long distance, MemberStepContext now) {
    return Math.addExact(Math.max(term(), now.unixSecond()), distance);
  }

  private void keep(HardState next, List<QuorumEffect> out) {
    ballot = next;
    out.add(new QuorumEffect.Save(next));
  }

  /**
   * A voter's promise to one leader: until the end of the lease that it acknowledged, measured on
   * its own monotonic clock, it votes for no member in any term.
   *
   * <p>This is why two leases never overlap. A leader's lease of length {@code L} counts from the
   * sending of a heartbeat at real time {@code s} that a majority acknowledged. If every clock runs
   * at a rate between {@code 1 - d} and {@code 1 + d} of real time, the leader's gate shuts no
   * later than {@code s + L(1 - 2d) / (1 - d)}. Each voter of that majority received the heartbeat
   * after {@code s} and keeps its promise for {@code L} on its own clock, so at least until {@code
   * s + L / (1 + d)}, which is later. A successor needs the votes of a majority, which includes one
   * of these voters, and its own lease counts from a heartbeat sent after it had these votes. The
   * length is the leader's and is sent with its heartbeat: a voter whose own lease is shorter keeps
   * its promise for the leader's full lease.
   *
   * @param leader the member to which the promise was given
   * @param term the term in which that member leads
   * @param untilNanos when the promise ends on the voter's monotonic clock
   */
  record Promise(int leader, long term, long untilNanos) {

    boolean isLiveAt(MemberStepContext now) {
      return !now.hasReached(untilNanos);
    }

    boolean isTo(int member, long itsTerm) {
      return leader == member && term == itsTerm;
    }
  }
}

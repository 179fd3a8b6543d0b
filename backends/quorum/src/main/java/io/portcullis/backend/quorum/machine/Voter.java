package io.portcullis.backend.quorum.machine;

import io.portcullis.backend.quorum.machine.QuorumMessage.Heartbeat;
import io.portcullis.backend.quorum.machine.QuorumMessage.RequestVote;
import io.portcullis.election.store.EpochRange;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The one who votes and promises, and never does either against an earlier word of its own.
 *
 * <ul>
 *   <li>One vote per term, for ever: the ballot remembers it, across restarts.
 *   <li>No vote while a {@link Promise} lasts, to higher terms neither.
 *   <li>After a restart no vote for the longest promise ever given, since nobody remembers when it
 *       was given.
 *   <li>No vote and no promise without a ballot, or with one that can't be saved.
 * </ul>
 */
final class Voter {
  /** How far a term may lie above all this voter has reason to expect. */
  private static final long MAX_TERM_LEAD = 1L << 32;

  private @Nullable HardState ballot;
  private @Nullable Promise promise;
  private final long boundUntilNanos;
  private boolean bound;
  private @Nullable String storageProblem;

  Voter(@Nullable HardState stored, @Nullable String trouble, MemberStepContext now) {
    this.ballot = stored;
    this.storageProblem = trouble;
    Duration wait = stored == null ? Duration.ZERO : stored.longestPromise();
    this.bound = !wait.isZero();
    this.boundUntilNanos = now.plus(wait);
  }

  /** Lets what has ended end; true if it is bound by nothing any more since. */
  boolean passTime(MemberStepContext now) {
    boolean wasBound = bound || promise != null;
    bound &= !now.hasReached(boundUntilNanos);
    if (promise != null && !promise.isLiveAt(now)) {
      promise = null;
    }
    return wasBound && !bound && promise == null;
  }

  /** When that next may be so. */
  OptionalLong wakeAtNanos() {
    if (promise == null) {
      return bound ? OptionalLong.of(boundUntilNanos) : OptionalLong.empty();
    }
    return bound && boundUntilNanos - promise.untilNanos() < 0
        ? OptionalLong.of(boundUntilNanos)
        : OptionalLong.of(promise.untilNanos());
  }

  /** True if it keeps a ballot: a member without one must learn first. */
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

  /** Why it can't keep its ballot, null if it can. */
  @Nullable String storageProblem() {
    return storageProblem;
  }

  void setStorageProblem(@Nullable String why) {
    storageProblem = why;
  }

  /** When a promise from before the restart has ended at last; null if there is none. */
  @Nullable Long boundUntilNanos() {
    return bound ? boundUntilNanos : null;
  }

  /** Takes up a first ballot; it is saved by the caller's next effect. */
  void begin(HardState first, List<QuorumEffect> out) {
    keep(first, out);
  }

  /** True if it may vote, or stand for election, in terms above its own. */
  boolean isFree() {
    return ballot != null && storageProblem == null && !bound && promise == null;
  }

  boolean wouldVoteIn(long term) {
    return isFree() && term > term();
  }

  /** Whether it votes for {@code candidate}. The vote is saved before it is told. */
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

  /** Whether it promises the leader of this heartbeat what it asks for. */
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

  /** Its word to this leader in this term is given back; a word to any other stands. */
  void release(int leader, long term) {
    if (promise != null && promise.isTo(leader, term)) {
      promise = null;
    }
  }

  /**
   * False for terms that no honest member could have reached: outside the range of all epochs, or
   * so far above all that is known that one message could use up most of what is left.
   */
  boolean findsCredible(long term, MemberStepContext now) {
    return EpochRange.contains(term) && term <= farthest(MAX_TERM_LEAD, now);
  }

  /** The highest term above which any member would vote, however little it has seen. */
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
   * A voter's word to one leader: until the end of the lease that it acknowledged, on its own
   * monotonic clock, it votes for nobody, in whatever term.
   *
   * <p>This is why two leases never overlap. A leader's lease of length {@code L} counts from the
   * sending of a heartbeat at real time {@code s} that a majority acknowledged; with every clock's
   * rate from {@code 1 - d} to {@code 1 + d} of real time its gate shuts not later than {@code s +
   * L(1 - 2d) / (1 - d)}. Each voter of that majority received the heartbeat after {@code s} and
   * keeps its word for {@code L} by its clock, thus until {@code s + L / (1 + d)} at least, which
   * is later. A successor needs the votes of a majority, so of one of these voters; and its own
   * lease counts from a heartbeat sent after it had them. The length is the leader's, carried by
   * its heartbeat: a voter whose own lease is shorter keeps its word as long.
   *
   * @param leader the member it was given to
   * @param term the term in which that member leads
   * @param untilNanos when it ends on the voter's monotonic clock
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

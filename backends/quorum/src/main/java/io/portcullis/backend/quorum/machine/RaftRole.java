package io.portcullis.backend.quorum.machine;

import org.jspecify.annotations.Nullable;

/** Where a member stands between wanting to lead and leading. */
sealed interface RaftRole {

  /** Neither stands for election nor leads. */
  record Follower() implements RaftRole {}

  /**
   * Stands for election, or is about to: one round, over at a fixed time. A reply that comes later
   * counts for nothing.
   */
  sealed interface Campaigning extends RaftRole permits PreCandidate, Candidate {
    /** The term it stands in. */
    long term();

    /** Who is for it. */
    VoteTally poll();

    /** When the round is over. */
    long endsAtNanos();
  }

  /**
   * Asks whether it would be elected. Nobody's state changes by that, so a member that comes back
   * from behind a partition disturbs no leader.
   */
  record PreCandidate(long term, VoteTally poll, long endsAtNanos) implements Campaigning {}

  /** Asks to be elected; its own vote is spent on itself. */
  record Candidate(long term, VoteTally poll, long endsAtNanos) implements Campaigning {}

  /**
   * Elected in a term; leads only while a majority keeps its promises.
   *
   * @param poll who has promised upon the newest heartbeat
   * @param sentAtNanos when that heartbeat was sent
   * @param ask the question that rests on these promises, null if it is answered or there is none
   * @param confirmedNanos when the newest heartbeat with a majority of promises was sent; when it
   *     was elected, before the first
   */
  record Leader(
      long term, VoteTally poll, long sentAtNanos, @Nullable Long ask, long confirmedNanos)
      implements RaftRole {

    Leader confirmed() {
      return new Leader(term, poll, sentAtNanos, null, sentAtNanos);
    }
  }
}

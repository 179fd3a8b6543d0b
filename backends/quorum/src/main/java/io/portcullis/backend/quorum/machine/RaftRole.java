package io.portcullis.backend.quorum.machine;

import org.jspecify.annotations.Nullable;

/** Role of a member: follower, candidate or leader. */
sealed interface RaftRole {

  /** Neither campaigns nor leads. */
  record Follower() implements RaftRole {}

  /**
   * Campaigns, or checks whether it would be elected, in one round that ends at a fixed time.
   * Replies that arrive later are ignored.
   */
  sealed interface Campaigning extends RaftRole permits PreCandidate, Candidate {
    /** The term it campaigns in. */
    long term();

    /** The replies to this round. */
    VoteTally poll();

    long endsAtNanos();
  }

  /**
   * Asks whether it would be elected. This changes no member's state, so a member that returns from
   * a partition does not disturb the leader.
   */
  record PreCandidate(long term, VoteTally poll, long endsAtNanos) implements Campaigning {}

  /** Requests votes; its own vote is already given to itself. */
  record Candidate(long term, VoteTally poll, long endsAtNanos) implements Campaigning {}

  /**
   * Elected in a term; leads only while a majority keeps its promises.
   *
   * @param poll the promises in reply to the newest heartbeat
   * @param sentAtNanos when that heartbeat was sent
   * @param ask the request that depends on these promises, null if it is answered or there is none
   * @param confirmedNanos when the newest heartbeat with a majority of promises was sent; before
   *     the first one, the time of the election
   */
  record RaftLeader(
      long term, VoteTally poll, long sentAtNanos, @Nullable Long ask, long confirmedNanos)
      implements RaftRole {

    RaftLeader confirmed() {
      return new RaftLeader(term, poll, sentAtNanos, null, sentAtNanos);
    }
  }
}

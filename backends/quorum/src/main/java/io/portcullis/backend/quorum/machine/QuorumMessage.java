package io.portcullis.backend.quorum.machine;

/** Message between members. A reply has the sequence of the message it replies to. */
public sealed interface QuorumMessage {

  /** Matches a reply to its request. */
  long sequence();

  /** Asks a member for its voting state. */
  record Probe(long sequence) implements QuorumMessage {}

  /**
   * The voting state of a member.
   *
   * @param term its highest term, 0 if it has not taken part in any
   * @param voter whether it has a ballot
   * @param leaseMillis the longest lease it has seen
   */
  record Report(long sequence, long term, boolean voter, long leaseMillis)
      implements QuorumMessage {}

  /**
   * Asks whether the receiver would vote for the sender in this term. Changes no state at the
   * receiver.
   *
   * @param priority the sender's priority
   * @param uptimeSeconds how long the sender's process has been running
   */
  record PreVote(long sequence, long term, int priority, long uptimeSeconds)
      implements QuorumMessage {}

  /**
   * The reply to a {@link PreVote}.
   *
   * @param term the voter's own term
   * @param leader the member it is bound to by a promise, -1 if none
   * @param leaderTerm the term of that leader
   * @param remainingMillis for how long it is bound
   */
  record PreVoteReply(
      long sequence, long term, boolean granted, int leader, long leaderTerm, long remainingMillis)
      implements QuorumMessage {}

  /** Requests a vote in this term. */
  record RequestVote(long sequence, long term) implements QuorumMessage {}

  /** The vote in this term, or the voter's own term if it refuses. */
  record VoteReply(long sequence, long term, boolean granted) implements QuorumMessage {}

  /**
   * Announces the leader of this term and asks for a promise to elect no other member for the
   * length of the lease.
   */
  record Heartbeat(long sequence, long term, long leaseMillis) implements QuorumMessage {}

  /**
   * The promise, or the member's own term if it does not promise.
   *
   * @param willing whether this member wants to lead next
   */
  record HeartbeatReply(long sequence, long term, boolean promised, boolean willing, int priority)
      implements QuorumMessage {}

  /**
   * Announces that the leader of this term has shut its gate, which ends the promise to it.
   *
   * @param next the member that should lead next, -1 if none is known to want to lead
   */
  record Released(long sequence, long term, int next) implements QuorumMessage {}

  /** Acknowledges a {@link Released}. */
  record ReleasedReply(long sequence, long term) implements QuorumMessage {}
}

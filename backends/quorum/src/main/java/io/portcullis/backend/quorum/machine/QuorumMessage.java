package io.portcullis.backend.quorum.machine;

/** What members say to each other. A reply bears the sequence of what it replies to. */
public sealed interface QuorumMessage {

  /** Tells a message's reply from those to others. */
  long sequence();

  /** What do you remember? */
  record Probe(long sequence) implements QuorumMessage {}

  /**
   * What a member remembers.
   *
   * @param term its highest term, 0 if it has taken part in nothing
   * @param voter whether it keeps a ballot
   * @param leaseMillis the longest lease it knows of
   */
  record Report(long sequence, long term, boolean voter, long leaseMillis)
      implements QuorumMessage {}

  /**
   * Would you vote for me in this term? Changes nothing at the voter.
   *
   * @param priority the asking member's
   * @param uptimeSeconds how long its process has been up
   */
  record PreVote(long sequence, long term, int priority, long uptimeSeconds)
      implements QuorumMessage {}

  /**
   * Whether it would.
   *
   * @param term the voter's own term
   * @param leader the member it is bound to, -1 if it is bound to none
   * @param leaderTerm that one's term
   * @param remainingMillis for how long it is bound
   */
  record PreVoteReply(
      long sequence, long term, boolean granted, int leader, long leaderTerm, long remainingMillis)
      implements QuorumMessage {}

  /** Vote for me in this term. */
  record RequestVote(long sequence, long term) implements QuorumMessage {}

  /** The vote in this term, or the voter's own term if it is refused. */
  record VoteReply(long sequence, long term, boolean granted) implements QuorumMessage {}

  /** I lead in this term: promise to elect nobody else for so long. */
  record Heartbeat(long sequence, long term, long leaseMillis) implements QuorumMessage {}

  /**
   * The promise, or the member's own term if it gives none.
   *
   * @param willing whether this member would lead in turn
   */
  record HeartbeatReply(long sequence, long term, boolean promised, boolean willing, int priority)
      implements QuorumMessage {}

  /**
   * I led in this term, and my gate is shut: your promise to me is over.
   *
   * @param next the member that should lead next, -1 if none is known to want to
   */
  record Released(long sequence, long term, int next) implements QuorumMessage {}

  /** Heard. */
  record ReleasedReply(long sequence, long term) implements QuorumMessage {}
}

package io.portcullis.backend.quorum.machine;

import java.util.HashSet;
import java.util.Set;

/** Counts the replies of all members to one message. Only the first reply of a member counts. */
final class VoteTally {
  private final QuorumConfig config;
  private final long sequence;
  private final Set<Integer> yes = new HashSet<>();
  private final Set<Integer> no = new HashSet<>();

  VoteTally(QuorumConfig config, long sequence) {
    this.config = config;
    this.sequence = sequence;
  }

  /** The sequence of the message and of its replies. */
  long sequence() {
    return sequence;
  }

  boolean isAnsweredBy(long replySequence) {
    return sequence == replySequence;
  }

  void count(int member, boolean agrees) {
    if (!hasAnswerOf(member)) {
      (agrees ? yes : no).add(member);
    }
  }

  /** True if a majority of the configured members agrees. */
  boolean isWon() {
    return yes.size() >= config.majority();
  }

  /** True if the members that have not refused are too few for a majority. */
  boolean isLost() {
    return config.size() - no.size() < config.majority();
  }

  boolean hasAnswerOf(int member) {
    return yes.contains(member) || no.contains(member);
  }

  /** True if a majority has replied, whether it agreed or not. */
  boolean isHeard() {
    return yes.size() + no.size() >= config.majority();
  }
}

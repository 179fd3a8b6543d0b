package io.portcullis.backend.quorum.machine;

import java.util.HashSet;
import java.util.Set;

/** One question to all members, and what they have answered. A member's answers count once. */
final class VoteTally {
  private final QuorumConfig config;
  private final long sequence;
  private final Set<Integer> yes = new HashSet<>();
  private final Set<Integer> no = new HashSet<>();

  VoteTally(QuorumConfig config, long sequence) {
    this.config = config;
    this.sequence = sequence;
  }

  /** What the question bore, and its answers must. */
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

  /** True if those who have not refused can't make a majority any more. */
  boolean isLost() {
    return config.size() - no.size() < config.majority();
  }

  boolean hasAnswerOf(int member) {
    return yes.contains(member) || no.contains(member);
  }

  /** True if a majority has answered, whatever it said. */
  boolean isHeard() {
    return yes.size() + no.size() >= config.majority();
  }
}

package io.portcullis.election.machine;

import io.portcullis.election.config.Backoff;
import io.portcullis.election.config.Timing;

/**
 * How often in a row a node asked in vain, always in the same way: because another holds the lease,
 * or because there was no answer. Having waited long for a leader is no reason to wait long for an
 * answer.
 *
 * @param tries how often
 * @param unanswered whether there was no answer
 */
record FailedAttempts(int tries, boolean unanswered) {
  static final FailedAttempts NOT_YET = new FailedAttempts(0, false);

  FailedAttempts again(boolean withoutAnswer) {
    return new FailedAttempts(withoutAnswer == unanswered ? tries + 1 : 1, withoutAnswer);
  }

  long pauseNanos(Timing timing, double chance) {
    Backoff pace = unanswered ? timing.whenUnknown() : timing.whenHeld();
    return pace.pauseNanos(tries, chance);
  }
}

package io.portcullis.election.machine;

import io.portcullis.election.config.Pace;
import io.portcullis.election.config.Timing;

/**
 * How often in a row a node asked in vain, always in the same way: because another holds the lease,
 * or because there was no answer. Having waited long for a leader is no reason to wait long for an
 * answer.
 *
 * @param tries how often
 * @param unanswered whether there was no answer
 */
record Vain(int tries, boolean unanswered) {
  static final Vain NOT_YET = new Vain(0, false);

  Vain again(boolean withoutAnswer) {
    return new Vain(withoutAnswer == unanswered ? tries + 1 : 1, withoutAnswer);
  }

  long pauseNanos(Timing timing, double chance) {
    Pace pace = unanswered ? timing.whenUnknown() : timing.whenHeld();
    return pace.pauseNanos(tries, chance);
  }
}

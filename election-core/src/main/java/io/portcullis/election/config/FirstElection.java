package io.portcullis.election.config;

/** Whether an empty store is trusted to be new by a node that has seen nothing yet. */
public enum FirstElection {
  /** It is new: lead at once. A store emptied while a leader lives is then noticed too late. */
  AT_ONCE,
  /** It may have been emptied: wait out the longest lease first. */
  AFTER_LEASE
}

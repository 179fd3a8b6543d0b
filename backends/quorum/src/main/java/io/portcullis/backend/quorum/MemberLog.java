package io.portcullis.backend.quorum;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs the state of a member. A state is logged once, until it changes. */
final class MemberLog {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");

  private final String election;
  private final String identity;
  private volatile @Nullable String notVotingReason = "this member is starting";
  private volatile @Nullable String outage;
  private @Nullable String startProblem;
  private boolean votes;

  MemberLog(String election, String identity) {
    this.election = election;
    this.identity = identity;
  }

  void warn(String sentence) {
    LOG.warn("portcullis election={} node={} {}", election, identity, sentence);
  }

  /**
   * Logs that this member can't start: its folder or port is unavailable, or another process runs
   * as this member.
   */
  void cannotStart(String why) {
    if (!why.equals(startProblem)) {
      startProblem = why;
      warn("takes no part yet why=\"" + why + "\"");
    }
    notVotingReason = why;
    outage = null;
    votes = false;
  }

  /** Logs that this member votes, or the reason why it does not; null if it does. */
  void reportVoting(@Nullable String now, boolean warning) {
    startProblem = null;
    if (now != null && !now.equals(notVotingReason)) {
      String line = "does not vote why=\"" + now + "\"";
      if (warning) {
        warn(line);
      } else {
        LOG.info("portcullis election={} node={} {}", election, identity, line);
      }
    } else if (now == null && !votes) {
      LOG.info("portcullis election={} node={} votes", election, identity);
    }
    notVotingReason = now;
    votes = now == null;
  }

  /** The last reported reason why it does not vote, null if it does. Thread-safe. */
  @Nullable String notVotingReason() {
    return notVotingReason;
  }

  /**
   * Stores which members are missing for a majority, null if enough have replied. The election that
   * requests the lease logs it.
   */
  void missing(@Nullable String members) {
    outage = members;
  }

  /** The members that were missing at the last step, null if none. Thread-safe. */
  @Nullable String outage() {
    return outage;
  }

  void broken(Throwable bug) {
    notVotingReason = "this member was stopped by a bug: " + bug;
    LOG.error(
        "portcullis election={} node={} stopped by a bug; this member no longer takes part",
        election,
        identity,
        bug);
  }
}

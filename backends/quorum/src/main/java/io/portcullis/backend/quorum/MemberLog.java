package io.portcullis.backend.quorum;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a member tells people about itself. The same thing is said once. */
final class MemberLog {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");

  private final String election;
  private final String identity;
  private volatile @Nullable String impediment = "this member is just starting";
  private volatile @Nullable String outage;
  private @Nullable String hindrance;
  private boolean votes;

  MemberLog(String election, String identity) {
    this.election = election;
    this.identity = identity;
  }

  void warn(String sentence) {
    LOG.warn("portcullis election={} node={} {}", election, identity, sentence);
  }

  /** The folder or the port is not to be had, or another process is this member. */
  void cannotStart(String why) {
    if (!why.equals(hindrance)) {
      hindrance = why;
      warn("takes no part yet why=\"" + why + "\"");
    }
    impediment = why;
    outage = null;
    votes = false;
  }

  /** Whether it votes, or what keeps it from that. */
  void reportVoting(@Nullable String now, boolean warning) {
    hindrance = null;
    if (now != null && !now.equals(impediment)) {
      String line = "does not vote why=\"" + now + "\"";
      if (warning) {
        warn(line);
      } else {
        LOG.info("portcullis election={} node={} {}", election, identity, line);
      }
    } else if (now == null && !votes) {
      LOG.info("portcullis election={} node={} votes", election, identity);
    }
    impediment = now;
    votes = now == null;
  }

  /** What keeps it from voting, as last told; null if nothing does. Any thread may ask. */
  @Nullable String impediment() {
    return impediment;
  }

  /** Who is missing for a majority, null if enough are heard: told by the election that asks. */
  void missing(@Nullable String who) {
    outage = who;
  }

  /** Who was missing at the last step. Any thread may ask. */
  @Nullable String outage() {
    return outage;
  }

  void broken(Throwable bug) {
    impediment = "this member was ended by a bug: " + bug;
    LOG.error(
        "portcullis election={} node={} ended by a bug; this member takes part no more",
        election,
        identity,
        bug);
  }
}

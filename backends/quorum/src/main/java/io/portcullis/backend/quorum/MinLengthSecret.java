package io.portcullis.backend.quorum;

import io.portcullis.election.backend.Secret;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A secret that is never replaced by one that could be guessed: the last good one holds then. */
final class MinLengthSecret implements Secret {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");

  private final String key;
  private final Secret source;
  private String last;
  private boolean told;

  MinLengthSecret(String key, Secret source) {
    this.key = key;
    this.source = source;
    this.last = source.current();
  }

  @Override
  public synchronized String current() {
    String now = source.current();
    boolean good = now.length() >= ClusterAuth.MIN_SECRET;
    if (good) {
      last = now;
    } else if (!told) {
      LOG.warn(
          "portcullis keeps the quorum's {} it has read before: the new one has fewer than {}"
              + " characters",
          key,
          ClusterAuth.MIN_SECRET);
    }
    told = !good;
    return last;
  }
}

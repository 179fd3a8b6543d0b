package io.portcullis.election.engine;

import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.engine.TransitionLog.LogSuffix;
import io.portcullis.election.store.StoreFeatures.GrantDelay;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs once when the store can grant the lease to no node for some time, and no leader is known.
 * For information only: no decision depends on it. Used by the engine's thread only.
 */
final class GrantDelayMonitor {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");

  private final ElectionConfig config;
  private final LogSuffix logSuffix;
  private @Nullable String sentence;

  GrantDelayMonitor(ElectionConfig config, LogSuffix logSuffix) {
    this.config = config;
    this.logSuffix = logSuffix;
  }

  /** Updates the state after a step of the machine. */
  void look(boolean knowsLeader, @Nullable GrantDelay delay) {
    boolean logged = sentence != null;
    sentence = knowsLeader || delay == null ? null : delay.sentence();
    if (sentence != null && !logged) {
      LOG.info(
          "portcullis election={} node={} waits for its store why=\"{}\"{}",
          config.name(),
          config.identity(),
          sentence,
          logSuffix);
    }
  }

  /** Why no node can be granted the lease, with the remaining time; null if nothing prevents it. */
  @Nullable String sentence() {
    return sentence;
  }
}

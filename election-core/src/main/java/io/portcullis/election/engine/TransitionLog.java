package io.portcullis.election.engine;

import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.machine.ElectionEvent;
import io.portcullis.election.machine.RoleName;
import io.portcullis.election.store.LeaseStore;
import io.portcullis.election.store.StoreFeatures.LogSuffixSource;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs one line per transition, in a stable format that scripts can parse. */
final class TransitionLog {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");

  private final ElectionConfig config;
  private final LogSuffix logSuffix;

  TransitionLog(ElectionConfig config, LogSuffix logSuffix) {
    this.config = config;
    this.logSuffix = logSuffix;
  }

  void write(RoleName from, RoleName to, ElectionEvent event) {
    if (event instanceof ElectionEvent.StartedLeading started) {
      LOG.info(
          "portcullis election={} node={} epoch={} became leader from={} why=\"{}\"{}",
          config.name(),
          config.identity(),
          started.epoch(),
          from,
          started.why(),
          logSuffix);
    } else if (event instanceof ElectionEvent.StoppedLeading stopped) {
      LOG.info(
          "portcullis election={} node={} epoch={} lost leadership from=LEADER to={} why=\"{}\"{}",
          config.name(),
          config.identity(),
          stopped.epoch(),
          to,
          stopped.why(),
          logSuffix);
    } else if (event instanceof ElectionEvent.NewLeader elected) {
      LOG.info(
          "portcullis election={} node={} epoch={} new leader leader={}{}",
          config.name(),
          config.identity(),
          elected.leader().epoch(),
          elected.leader().identity(),
          logSuffix);
    }
  }

  /**
   * Suffix of all log lines about one election, with the fields that its store adds.
   *
   * @param ending a space and the fields, or empty
   */
  record LogSuffix(String ending) {
    static final LogSuffix NONE = new LogSuffix("");

    private static final Logger LOG = LoggerFactory.getLogger(LogSuffix.class);

    /**
     * Reads the suffix from the store. If that fails, the lines have no suffix; the store is still
     * usable.
     */
    static LogSuffix of(LeaseStore store, String election) {
      try {
        LogSuffixSource source = store.feature(LogSuffixSource.class);
        String suffix = source == null ? "" : Objects.requireNonNullElse(source.logSuffix(), "");
        return suffix.isBlank() ? NONE : new LogSuffix(" " + suffix.strip());
      } catch (RuntimeException | LinkageError | AssertionError e) {
        LOG.warn("election={} could not read the log suffix of its store", election, e);
        return NONE;
      }
    }

    /** The suffix as it is, for use as a log argument. */
    @Override
    public String toString() {
      return ending;
    }
  }
}

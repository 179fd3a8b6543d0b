package io.portcullis.election.engine;

import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.machine.ElectionEvent;
import io.portcullis.election.machine.RoleName;
import io.portcullis.election.store.LeaseStore;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One line a transition, in a form that people and scripts can rely on. */
final class TransitionLog {
  private static final Logger LOG = LoggerFactory.getLogger("portcullis");

  private final ElectionConfig config;
  private final LogSuffix logSuffix;

  TransitionLog(ElectionConfig config, LogSuffix mark) {
    this.config = config;
    this.logSuffix = mark;
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
   * How the log lines about one election end: with what its store wants them to carry besides.
   *
   * @param ending a space and the mark, or nothing
   */
  record LogSuffix(String ending) {
    static final LogSuffix NONE = new LogSuffix("");

    private static final Logger LOG = LoggerFactory.getLogger(LogSuffix.class);

    /**
     * Asks the store. One that fails to say is still a store, whose lines carry nothing besides.
     */
    static LogSuffix of(LeaseStore store, String election) {
      try {
        String mark = Objects.requireNonNullElse(store.logSuffix(), "");
        return mark.isBlank() ? NONE : new LogSuffix(" " + mark.strip());
      } catch (RuntimeException | LinkageError | AssertionError e) {
        LOG.warn("election={} gets no log mark from its store", election, e);
        return NONE;
      }
    }

    /** The ending, so that a line's pattern takes the mark as it is. */
    @Override
    public String toString() {
      return ending;
    }
  }
}

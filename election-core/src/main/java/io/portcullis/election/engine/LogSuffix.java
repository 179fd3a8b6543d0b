package io.portcullis.election.engine;

import io.portcullis.election.store.LeaseStore;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How the log lines about one election end: with what its store wants them to carry besides.
 *
 * @param ending a space and the mark, or nothing
 */
record LogSuffix(String ending) {
  static final LogSuffix NONE = new LogSuffix("");

  private static final Logger LOG = LoggerFactory.getLogger(LogSuffix.class);

  /** Asks the store. One that fails to say is still a store, whose lines carry nothing besides. */
  static LogSuffix of(LeaseStore store, String election) {
    try {
      String mark = Objects.requireNonNullElse(store.logMark(), "");
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

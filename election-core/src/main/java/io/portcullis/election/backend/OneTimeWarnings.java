package io.portcullis.election.backend;

import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;

/**
 * Logs warnings about a server or its configuration, each once per store. Thread-safe. Warnings
 * that come back after a time need a rate limit instead.
 */
public final class OneTimeWarnings {
  /** Maximum number of keys. Later ones are not logged, so that no server can fill the log. */
  static final int MAX_KEYS = 64;

  private final Logger log;
  private final Set<String> seen = new HashSet<>();

  /** Creates warnings of which none has been logged. */
  public OneTimeWarnings(Logger log) {
    this.log = log;
  }

  /** Logs a warning, unless there was one with the same key. */
  public void warn(String key, String text) {
    if (isFirst(key)) {
      log.warn(text);
    }
  }

  /** Whether this is the first call with this key; for checks that are to run once. */
  public synchronized boolean isFirst(String key) {
    return seen.size() < MAX_KEYS && seen.add(key);
  }
}

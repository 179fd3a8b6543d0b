package io.portcullis.agent.config;

/**
 * How the agent logs.
 *
 * @param level the least that is logged
 * @param format how a line looks
 */
public record LogSection(Level level, Format format) {
  /** How much is logged. */
  public enum Level {
    /** All of it. */
    DEBUG,
    /** Every transition. */
    INFO,
    /** What someone should look at. */
    WARN,
    /** What is broken. */
    ERROR
  }

  /** How a line looks. */
  public enum Format {
    /** For people. */
    TEXT,
    /** One object a line. */
    JSON
  }
}

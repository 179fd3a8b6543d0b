package io.portcullis.agent.config;

/**
 * The agent's own HTTP server.
 *
 * @param enabled whether there is one
 * @param bind the address it listens on
 * @param port the port; 0 for a free one
 * @param readyWhen what {@code /readyz} tells
 */
public record HttpSection(boolean enabled, String bind, int port, ReadyWhen readyWhen) {
  /** What makes a node ready. */
  public enum ReadyWhen {
    /** It takes part in its elections. */
    PARTICIPATING,
    /** It leads. */
    LEADER
  }
}

package io.portcullis.agent.config;

import java.util.Optional;

/**
 * The agent's own HTTP server.
 *
 * @param enabled whether there is one
 * @param bind the address it listens on
 * @param port the port; 0 for a free one
 * @param readyWhen what {@code /readyz} tells
 * @param adminToken what whoever gives orders must show; without one nobody can
 * @param tls the files for TLS, if it is spoken
 */
public record HttpSection(
    boolean enabled,
    String bind,
    int port,
    ReadyWhen readyWhen,
    Optional<AdminToken> adminToken,
    Optional<HttpTlsConfig> tls) {
  /** What makes a node ready. */
  public enum ReadyWhen {
    /** It takes part in its elections. */
    PARTICIPATING,
    /** It leads. */
    LEADER
  }
}

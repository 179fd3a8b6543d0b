package io.portcullis.agent.cli.remote;

import java.net.URI;
import java.net.URISyntaxException;

/**
 * Address of the HTTP server of a node's agent.
 *
 * @param base scheme, host and port
 */
record NodeAddress(URI base) {
  static final int DEFAULT_PORT = 9470;

  /**
   * Parses {@code host}, {@code host:port}, or the same with {@code http://} or {@code https://}.
   */
  static NodeAddress parse(String text) {
    String written = text.contains("://") ? text : "http://" + text;
    try {
      URI uri = new URI(written);
      boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      boolean noPath = uri.getRawPath().isEmpty() || uri.getRawPath().equals("/");
      if (!http || uri.getHost() == null || !noPath || uri.getRawQuery() != null) {
        throw new IllegalArgumentException(invalid(text));
      }
      return of(uri.getScheme(), uri.getHost(), uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort());
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException(invalid(text), e);
    }
  }

  /**
   * Returns the address of an agent that listens on this host and port. A wildcard address is
   * replaced by the loopback address, so such an agent must run on this machine.
   */
  static NodeAddress of(String scheme, String host, int port) {
    boolean wildcard = host.equals("0.0.0.0") || host.equals("::") || host.equals("[::]");
    String name = wildcard ? "127.0.0.1" : host;
    boolean bareIpv6 = name.indexOf(':') >= 0 && !name.startsWith("[");
    return new NodeAddress(
        URI.create(scheme + "://" + (bareIpv6 ? "[" + name + "]" : name) + ":" + port));
  }

  private static String invalid(String text) {
    return "'" + text + "' is not an agent's address; write host:port or http://host:port";
  }

  URI path(String path) {
    return base.resolve(path);
  }

  @Override
  public String toString() {
    return base.toString();
  }
}

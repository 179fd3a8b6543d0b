package io.portcullis.agent.cli.remote;

import java.net.URI;
import java.net.URISyntaxException;

/**
 * Where a node's agent answers.
 *
 * @param base scheme, host and port
 */
record NodeAddress(URI base) {
  static final int USUAL_PORT = 9470;

  /** From {@code host}, {@code host:port} or {@code http://host:port}. */
  static NodeAddress parse(String text) {
    String written = text.contains("://") ? text : "http://" + text;
    try {
      URI uri = new URI(written);
      boolean web = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      boolean bare = uri.getRawPath().isEmpty() || uri.getRawPath().equals("/");
      if (!web || uri.getHost() == null || !bare || uri.getRawQuery() != null) {
        throw new IllegalArgumentException(refusal(text));
      }
      return of(uri.getScheme(), uri.getHost(), uri.getPort() < 0 ? USUAL_PORT : uri.getPort());
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException(refusal(text), e);
    }
  }

  /** Where an agent with these settings answers, seen from the same machine if it must be. */
  static NodeAddress of(String scheme, String host, int port) {
    boolean anywhere = host.equals("0.0.0.0") || host.equals("::") || host.equals("[::]");
    String name = anywhere ? "127.0.0.1" : host;
    boolean bare = name.indexOf(':') >= 0 && !name.startsWith("[");
    return new NodeAddress(
        URI.create(scheme + "://" + (bare ? "[" + name + "]" : name) + ":" + port));
  }

  private static String refusal(String text) {
    return "'" + text + "' is no address of an agent; write host:port or http://host:port";
  }

  URI path(String path) {
    return base.resolve(path);
  }

  @Override
  public String toString() {
    return base.toString();
  }
}

package io.portcullis.agent.http;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A completely received HTTP request.
 *
 * @param method the method, as sent
 * @param uri the path, with its query if there is one
 * @param headers by lower-case name
 * @param body empty if there was none
 * @param last whether the client wants the connection closed after the response
 * @param from the client's address
 */
record HttpRequest(
    String method,
    String uri,
    Map<String, String> headers,
    String body,
    boolean last,
    String from) {
  private static final String BEARER = "bearer ";

  String path() {
    int query = uri.indexOf('?');
    return query < 0 ? uri : uri.substring(0, query);
  }

  Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name));
  }

  boolean isHead() {
    return method.equals("HEAD");
  }

  /** The token that authorises admin commands. */
  Optional<String> bearerToken() {
    return header("authorization")
        .filter(value -> value.toLowerCase(Locale.ROOT).startsWith(BEARER))
        .map(value -> value.substring(BEARER.length()).strip());
  }

  static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** Omits headers and query, since either may contain a token. */
  @Override
  public String toString() {
    return method + " " + path();
  }
}

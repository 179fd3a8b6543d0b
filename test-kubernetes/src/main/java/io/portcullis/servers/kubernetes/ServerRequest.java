package io.portcullis.servers.kubernetes;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/**
 * A request as received.
 *
 * @param target path and query
 * @param headers by their names in lower case
 */
record ServerRequest(String method, String target, Map<String, String> headers, String body) {
  String path() {
    int question = target.indexOf('?');
    return question < 0 ? target : target.substring(0, question);
  }

  /** Decoded query parameter; empty if missing. */
  String parameter(String name) {
    int question = target.indexOf('?');
    String query = question < 0 ? "" : target.substring(question + 1);
    for (String pair : query.split("&", -1)) {
      if (pair.startsWith(name + "=")) {
        return URLDecoder.decode(pair.substring(name.length() + 1), StandardCharsets.UTF_8);
      }
    }
    return "";
  }

  /** Header value; empty if missing. */
  String header(String lowerCaseName) {
    return headers.getOrDefault(lowerCaseName, "");
  }

  /** Bearer token; empty if there is none. */
  String token() {
    String authorization = header("authorization");
    return authorization.startsWith("Bearer ") ? authorization.substring("Bearer ".length()) : "";
  }

  boolean wantsWebSocket() {
    return header("upgrade").equalsIgnoreCase("websocket");
  }

  boolean isLastOfItsConnection() {
    return header("connection").equalsIgnoreCase("close");
  }

  Verb verb(Optional<ResourcePath> route) {
    if (route.isEmpty()) {
      return Verb.OTHER;
    }
    boolean collection = route.get().isCollection();
    return switch (method) {
      case "GET" -> !collection ? Verb.GET : wantsWatch() ? Verb.WATCH : Verb.LIST;
      case "POST" -> route.get().resource() == ResourceType.REVIEWS ? Verb.REVIEW : Verb.CREATE;
      case "PUT" -> Verb.UPDATE;
      case "PATCH" -> Verb.PATCH;
      case "DELETE" -> collection ? Verb.DELETECOLLECTION : Verb.DELETE;
      default -> Verb.OTHER;
    };
  }

  private boolean wantsWatch() {
    String watch = parameter("watch");
    return watch.equals("true") || watch.equals("1");
  }
}

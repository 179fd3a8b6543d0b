package io.portcullis.agent.http;

import java.util.Map;

/**
 * An answer to a request.
 *
 * @param status the HTTP status
 * @param type the content type
 * @param body the text
 * @param more further headers
 */
record Reply(int status, String type, String body, Map<String, String> more) {

  static Reply json(int status, String body) {
    return new Reply(status, "application/json", body, Map.of());
  }

  static Reply metrics(String body) {
    return new Reply(200, "text/plain; version=0.0.4; charset=utf-8", body, Map.of());
  }

  static Reply notAllowed(String allowed) {
    return new Reply(
        405,
        "application/json",
        Json.error("This path answers " + allowed + "."),
        Map.of("Allow", allowed));
  }

  /** The words of the status line. */
  String reason() {
    return switch (status) {
      case 200 -> "OK";
      case 403 -> "Forbidden";
      case 404 -> "Not Found";
      case 405 -> "Method Not Allowed";
      case 500 -> "Internal Server Error";
      case 503 -> "Service Unavailable";
      default -> "Status " + status;
    };
  }
}

package io.portcullis.servers.kubernetes;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** What an API server says instead of carrying out a request: a {@code Status} that failed. */
final class Refusal extends Exception {
  private static final long serialVersionUID = 1;

  private final int code;
  private final String reason;

  /**
   * Makes one.
   *
   * @param reason the machine's word for it; empty if it has none
   */
  Refusal(int code, String reason, String message) {
    super(message);
    this.code = code;
    this.reason = reason;
  }

  static Refusal notFound(Route route) {
    return new Refusal(404, "NotFound", route + " not found");
  }

  static Refusal noSuchResource() {
    return new Refusal(404, "NotFound", "the server could not find the requested resource");
  }

  static Refusal conflict(Route route, String why) {
    return new Refusal(409, "Conflict", "Operation cannot be fulfilled on " + route + ": " + why);
  }

  static Refusal badRequest(String why) {
    return new Refusal(400, "BadRequest", why);
  }

  static Refusal invalid(Route route, String why) {
    return new Refusal(422, "Invalid", route + " is invalid: " + why);
  }

  static Refusal forbidden(Route route, Verb verb) {
    return new Refusal(
        403,
        "Forbidden",
        route
            + " is forbidden: User \"test\" cannot "
            + verb.word()
            + " resource \""
            + route.resource().plural
            + "\" in API group \""
            + route.resource().group
            + "\" in the namespace \""
            + route.namespace()
            + "\"");
  }

  /** What a server of this code says when a test has told it to. */
  static Refusal ofCode(int code) {
    return switch (code) {
      case 400 -> badRequest("refused by the test");
      case 401 -> new Refusal(401, "Unauthorized", "Unauthorized");
      case 403 -> new Refusal(403, "Forbidden", "forbidden by the test");
      case 404 -> new Refusal(404, "NotFound", "not found, says the test");
      case 409 -> new Refusal(409, "Conflict", "the object has been modified, says the test");
      case 410 -> new Refusal(410, "Expired", "too old resource version, says the test");
      case 429 -> new Refusal(429, "TooManyRequests", "too many requests, says the test");
      case 500 -> new Refusal(500, "InternalError", "an error on the server, says the test");
      case 503 -> new Refusal(503, "ServiceUnavailable", "unavailable, says the test");
      case 504 -> new Refusal(504, "Timeout", "timed out, says the test");
      default -> new Refusal(code, "", "refused by the test");
    };
  }

  int code() {
    return code;
  }

  ObjectNode status() {
    ObjectNode status = JsonNodeFactory.instance.objectNode();
    status.put("kind", "Status").put("apiVersion", "v1").putObject("metadata");
    status.put("status", "Failure").put("message", getMessage());
    if (!reason.isEmpty()) {
      status.put("reason", reason);
    }
    return status.put("code", code);
  }
}

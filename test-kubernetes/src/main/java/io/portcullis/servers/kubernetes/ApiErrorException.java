package io.portcullis.servers.kubernetes;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** An error response of an API server: a {@code Status} that failed. */
final class ApiErrorException extends Exception {
  private static final long serialVersionUID = 1;

  private final int code;
  private final String reason;

  /**
   * Creates an error.
   *
   * @param reason machine-readable reason; empty if none
   */
  ApiErrorException(int code, String reason, String message) {
    super(message);
    this.code = code;
    this.reason = reason;
  }

  static ApiErrorException notFound(ResourcePath route) {
    return new ApiErrorException(404, "NotFound", route + " not found");
  }

  static ApiErrorException noSuchResource() {
    return new ApiErrorException(
        404, "NotFound", "the server could not find the requested resource");
  }

  static ApiErrorException conflict(ResourcePath route, String why) {
    return new ApiErrorException(
        409, "Conflict", "Operation cannot be fulfilled on " + route + ": " + why);
  }

  static ApiErrorException badRequest(String why) {
    return new ApiErrorException(400, "BadRequest", why);
  }

  static ApiErrorException invalid(ResourcePath route, String why) {
    return new ApiErrorException(422, "Invalid", route + " is invalid: " + why);
  }

  static ApiErrorException forbidden(ResourcePath route, Verb verb) {
    return new ApiErrorException(
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

  /** The error with this code, as requested by a test. */
  static ApiErrorException ofCode(int code) {
    return switch (code) {
      case 400 -> badRequest("refused by the test");
      case 401 -> new ApiErrorException(401, "Unauthorized", "Unauthorized");
      case 403 -> new ApiErrorException(403, "Forbidden", "forbidden by the test");
      case 404 -> new ApiErrorException(404, "NotFound", "not found (test fault)");
      case 409 ->
          new ApiErrorException(409, "Conflict", "the object has been modified (test fault)");
      case 410 -> new ApiErrorException(410, "Expired", "too old resource version (test fault)");
      case 429 -> new ApiErrorException(429, "TooManyRequests", "too many requests (test fault)");
      case 500 ->
          new ApiErrorException(500, "InternalError", "an error on the server (test fault)");
      case 503 -> new ApiErrorException(503, "ServiceUnavailable", "unavailable (test fault)");
      case 504 -> new ApiErrorException(504, "Timeout", "timed out (test fault)");
      default -> new ApiErrorException(code, "", "refused by the test");
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

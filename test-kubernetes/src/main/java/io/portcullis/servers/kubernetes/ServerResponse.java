package io.portcullis.servers.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;

/**
 * A response to a client.
 *
 * @param retryAfter zero for no retry delay
 * @param location empty if the client is not redirected
 */
record ServerResponse(int code, String type, String body, Duration retryAfter, String location) {
  static ServerResponse json(int code, JsonNode body) {
    return new ServerResponse(code, "application/json", body.toString(), Duration.ZERO, "");
  }

  static ServerResponse text(String body) {
    return new ServerResponse(200, "text/plain", body, Duration.ZERO, "");
  }

  static ServerResponse refused(ApiErrorException refusal) {
    return json(refusal.code(), refusal.status());
  }

  /** Returns the response with the headers of a fault. */
  ServerResponse with(Fault.SubstituteResponse told) {
    return new ServerResponse(code, type, body, told.retryAfter(), told.location());
  }
}

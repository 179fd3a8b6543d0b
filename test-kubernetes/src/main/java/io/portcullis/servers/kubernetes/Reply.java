package io.portcullis.servers.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;

/**
 * What goes back to a client.
 *
 * @param retryAfter zero if the client is not told when to come again
 * @param location empty if the client is not sent to another place
 */
record Reply(int code, String type, String body, Duration retryAfter, String location) {
  static Reply json(int code, JsonNode body) {
    return new Reply(code, "application/json", body.toString(), Duration.ZERO, "");
  }

  static Reply text(String body) {
    return new Reply(200, "text/plain", body, Duration.ZERO, "");
  }

  static Reply refused(ApiErrorException refusal) {
    return json(refusal.code(), refusal.status());
  }

  /** The same with what a fault says besides. */
  Reply with(Fault.Answer told) {
    return new Reply(code, type, body, told.retryAfter(), told.location());
  }
}

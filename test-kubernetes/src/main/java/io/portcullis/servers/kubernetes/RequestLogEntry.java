package io.portcullis.servers.kubernetes;

import java.time.Instant;

/**
 * A logged request.
 *
 * @param at when it was read
 * @param path with its query
 * @param object the name of the object; empty for a collection, or if only the body names it
 * @param userAgent the client's User-Agent
 * @param token the client's token; empty if none
 * @param body as sent
 */
public record RequestLogEntry(
    Instant at,
    Verb verb,
    String path,
    String object,
    String userAgent,
    String token,
    String body) {
  /** Another request of the same client. */
  RequestLogEntry as(Verb otherVerb, String otherObject) {
    return new RequestLogEntry(at, otherVerb, path, otherObject, userAgent, token, body);
  }
}

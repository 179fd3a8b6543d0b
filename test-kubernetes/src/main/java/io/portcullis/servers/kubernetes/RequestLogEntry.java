package io.portcullis.servers.kubernetes;

import java.time.Instant;

/**
 * A request that somebody made.
 *
 * @param at when it was read
 * @param path with its query
 * @param object the name of the object; empty if it was about a collection, or in the body alone
 * @param userAgent what the client calls itself
 * @param token what the client showed; empty if nothing
 * @param body as it was sent
 */
public record RequestLogEntry(
    Instant at,
    Verb verb,
    String path,
    String object,
    String userAgent,
    String token,
    String body) {
  /** The same client, asking for something else. */
  RequestLogEntry as(Verb otherVerb, String otherObject) {
    return new RequestLogEntry(at, otherVerb, path, otherObject, userAgent, token, body);
  }
}

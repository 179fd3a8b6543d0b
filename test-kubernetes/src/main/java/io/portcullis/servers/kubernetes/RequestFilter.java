package io.portcullis.servers.kubernetes;

import java.util.EnumSet;
import java.util.Set;

/**
 * Selects requests.
 *
 * @param verbs the verbs of the requests
 * @param client the client's token or User-Agent; empty for any client
 * @param object the name of the object; empty for any
 */
public record RequestFilter(Set<Verb> verbs, String client, String object) {
  /** Matches all requests. */
  public static RequestFilter all() {
    return new RequestFilter(EnumSet.allOf(Verb.class), "", "");
  }

  /** Matches requests with one of these verbs. */
  public static RequestFilter to(Verb first, Verb... others) {
    return new RequestFilter(EnumSet.of(first, others), "", "");
  }

  /** Restricts the filter to one client: its token, or its User-Agent. */
  public RequestFilter by(String whose) {
    return new RequestFilter(verbs, whose, object);
  }

  /** Restricts the filter to requests whose path names this object. */
  public RequestFilter about(String name) {
    return new RequestFilter(verbs, client, name);
  }

  boolean include(RequestLogEntry asked) {
    return verbs.contains(asked.verb())
        && (client.isEmpty() || asked.token().equals(client) || asked.userAgent().equals(client))
        && (object.isEmpty() || asked.object().equals(object));
  }
}

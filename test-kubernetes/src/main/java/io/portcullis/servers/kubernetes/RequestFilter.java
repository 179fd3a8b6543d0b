package io.portcullis.servers.kubernetes;

import java.util.EnumSet;
import java.util.Set;

/**
 * Some of all requests.
 *
 * @param verbs what they ask for
 * @param client whose they are: its token or its User-Agent; empty for everybody's
 * @param object the name of the object they are about; empty for any
 */
public record RequestFilter(Set<Verb> verbs, String client, String object) {
  /** All of them. */
  public static RequestFilter all() {
    return new RequestFilter(EnumSet.allOf(Verb.class), "", "");
  }

  /** Those that ask for one of these. */
  public static RequestFilter to(Verb first, Verb... others) {
    return new RequestFilter(EnumSet.of(first, others), "", "");
  }

  /** Those of them that come from one client: its token, or its User-Agent. */
  public RequestFilter by(String whose) {
    return new RequestFilter(verbs, whose, object);
  }

  /** Those of them whose path names this object. */
  public RequestFilter about(String name) {
    return new RequestFilter(verbs, client, name);
  }

  boolean include(RequestLogEntry asked) {
    return verbs.contains(asked.verb())
        && (client.isEmpty() || asked.token().equals(client) || asked.userAgent().equals(client))
        && (object.isEmpty() || asked.object().equals(object));
  }
}

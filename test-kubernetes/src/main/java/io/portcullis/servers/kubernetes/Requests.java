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
public record Requests(Set<Verb> verbs, String client, String object) {
  /** All of them. */
  public static Requests all() {
    return new Requests(EnumSet.allOf(Verb.class), "", "");
  }

  /** Those that ask for one of these. */
  public static Requests to(Verb first, Verb... others) {
    return new Requests(EnumSet.of(first, others), "", "");
  }

  /** Those of them that come from one client: its token, or its User-Agent. */
  public Requests by(String whose) {
    return new Requests(verbs, whose, object);
  }

  /** Those of them whose path names this object. */
  public Requests about(String name) {
    return new Requests(verbs, client, name);
  }

  boolean include(ReceivedRequest asked) {
    return verbs.contains(asked.verb())
        && (client.isEmpty() || asked.token().equals(client) || asked.userAgent().equals(client))
        && (object.isEmpty() || asked.object().equals(object));
  }
}

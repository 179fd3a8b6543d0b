package io.portcullis.servers.kubernetes;

import java.util.Locale;

/** The verb of a request, as in RBAC rules. */
public enum Verb {
  /** Reads one object. */
  GET,
  /** Reads a collection. */
  LIST,
  /** Follows the changes of a collection. */
  WATCH,
  /** Creates an object. */
  CREATE,
  /** Replaces an object (PUT). */
  UPDATE,
  /** Changes parts of an object. */
  PATCH,
  /** Deletes one object. */
  DELETE,
  /** Deletes a collection. */
  DELETECOLLECTION,
  /** Queries the client's own rights: a SelfSubjectAccessReview. Every user may. */
  REVIEW,
  /** A request without an object, such as for the version. */
  OTHER;

  /** Name in an RBAC rule. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the verb with this name in an RBAC rule. */
  static Verb named(String word) {
    for (Verb verb : values()) {
      if (verb.word().equals(word)) {
        return verb;
      }
    }
    return OTHER;
  }
}

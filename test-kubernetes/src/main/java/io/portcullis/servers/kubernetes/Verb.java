package io.portcullis.servers.kubernetes;

import java.util.Locale;

/** What a request asks for, in the words of an RBAC rule. */
public enum Verb {
  /** Reads one object. */
  GET,
  /** Reads a collection. */
  LIST,
  /** Follows the changes of a collection. */
  WATCH,
  /** Makes a new object. */
  CREATE,
  /** Replaces an object (PUT). */
  UPDATE,
  /** Changes parts of an object. */
  PATCH,
  /** Deletes one object. */
  DELETE,
  /** Deletes a collection. */
  DELETECOLLECTION,
  /** Asks for the own rights: a SelfSubjectAccessReview. Every user may. */
  REVIEW,
  /** Anything that is not about objects, such as the version. */
  OTHER;

  /** As an RBAC rule writes it. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The verb that an RBAC rule writes so. */
  static Verb named(String word) {
    for (Verb verb : values()) {
      if (verb.word().equals(word)) {
        return verb;
      }
    }
    return OTHER;
  }
}

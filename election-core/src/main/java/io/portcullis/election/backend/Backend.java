package io.portcullis.election.backend;

import org.jspecify.annotations.Nullable;

/**
 * Kind of store that a configuration can name. A module provides one, found by {@link
 * java.util.ServiceLoader}.
 *
 * <p>A resource {@code reference.conf} in the package of the implementing class lists every
 * supported key with its default, in two sections: {@code timing} and one named like the backend. A
 * key that is not listed is refused as unknown; {@code null} marks a key without a default.
 *
 * <p>A new built-in backend also needs its name in {@code bundled.backends} of {@code
 * agent/pom.xml}; {@code docs/architecture.md}, section "Extending", lists all parts.
 */
public interface Backend {

  /** Name used in a configuration, such as {@code redis}. */
  String name();

  /**
   * Reads one election's settings. Reports all invalid settings to {@code settings}, and opens no
   * connection.
   *
   * @param service the service whose election this is, part of every default key
   * @param settings the election's section, which contains {@code timing} and the backend's own
   * @return null if settings were refused
   */
  @Nullable StorePlan plan(String service, String election, Settings settings);
}

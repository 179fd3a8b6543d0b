package io.portcullis.agent.config;

import org.jspecify.annotations.Nullable;

/**
 * What a problem points at.
 *
 * @param place where it was set, or the section it is missing from
 * @param key the whole key; empty if the problem is with the file itself
 * @param value what was set there, as it was written; null for a section or what is missing
 */
public record ProblemLocation(ValueOrigin place, String key, @Nullable String value) {
  /** So that a record never prints a secret. */
  @Override
  public String toString() {
    return place + " " + key;
  }
}

package io.portcullis.agent.config;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * One thing that can't be right. Holds no secret.
 *
 * @param place where it was set
 * @param key the whole key; empty if the problem is with the file itself
 * @param value what was set, redacted; null for a section or what is missing
 * @param text what is wrong and what would be right
 */
public record ConfigProblem(ValueOrigin place, String key, @Nullable String value, String text) {
  static final Comparator<ConfigProblem> BY_PLACE =
      Comparator.comparing(ConfigProblem::place)
          .thenComparing(ConfigProblem::key)
          .thenComparing(ConfigProblem::text);

  @Override
  public String toString() {
    StringBuilder line = new StringBuilder(place.toString()).append(": ");
    if (!key.isEmpty()) {
      line.append(key);
      if (value != null) {
        line.append(" = ").append(value);
      }
      line.append(": ");
    }
    return line.append(text).toString();
  }
}

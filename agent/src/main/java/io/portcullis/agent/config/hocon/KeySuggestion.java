package io.portcullis.agent.config.hocon;

import io.portcullis.rules.match.EditDistance;
import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Suggests the correct name for a misspelt one. */
public final class KeySuggestion {
  private KeySuggestion() {}

  /** The name with the smallest edit distance, if one is near enough. */
  public static Optional<String> nearest(String name, Collection<String> names) {
    int maxDistance = Math.max(2, name.length() / 3);
    return names.stream()
        .filter(known -> distance(name, known) <= maxDistance)
        .min(
            Comparator.comparingInt((String known) -> distance(name, known))
                .thenComparing(Comparator.naturalOrder()));
  }

  /** Returns text such as {@code "; did you mean lease?"}, or an empty string. */
  public static String of(String name, Collection<String> names) {
    return nearest(name, names).map(near -> "; did you mean " + near + "?").orElse("");
  }

  private static int distance(String from, String to) {
    return EditDistance.edits(from.toLowerCase(Locale.ROOT), to.toLowerCase(Locale.ROOT));
  }
}

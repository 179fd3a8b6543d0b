package io.portcullis.agent.config;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Suggests the correct name for a misspelt one. */
final class KeySuggestion {
  private KeySuggestion() {}

  /** The name with the smallest edit distance, if one is near enough. */
  static Optional<String> nearest(String name, Collection<String> names) {
    int maxDistance = Math.max(2, name.length() / 3);
    return names.stream()
        .filter(known -> distance(name, known) <= maxDistance)
        .min(
            Comparator.comparingInt((String known) -> distance(name, known))
                .thenComparing(Comparator.naturalOrder()));
  }

  /** Returns text such as {@code "; did you mean lease?"}, or an empty string. */
  static String of(String name, Collection<String> names) {
    return nearest(name, names).map(near -> "; did you mean " + near + "?").orElse("");
  }

  /**
   * Edit distance (optimal string alignment), ignoring case: the number of characters to replace,
   * insert, delete, or swap with the next one.
   */
  static int distance(String from, String to) {
    String a = from.toLowerCase(Locale.ROOT);
    String b = to.toLowerCase(Locale.ROOT);
    int[][] steps = new int[a.length() + 1][b.length() + 1];
    Arrays.setAll(steps[0], column -> column);
    for (int i = 1; i <= a.length(); i++) {
      steps[i][0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        steps[i][j] =
            Math.min(steps[i - 1][j - 1] + change, Math.min(steps[i - 1][j], steps[i][j - 1]) + 1);
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          steps[i][j] = Math.min(steps[i][j], steps[i - 2][j - 2] + 1);
        }
      }
    }
    return steps[a.length()][b.length()];
  }
}

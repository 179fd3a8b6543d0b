package io.portcullis.rules.survey;

import java.util.List;

/** Keeps a warning that many methods share readable. */
final class Grouped {
  private static final int MOST_NAMED = 3;

  private Grouped() {}

  /** The first few, each followed by the text; the last of them tells how many there are more. */
  static List<String> by(String text, List<String> all) {
    List<String> some = all.stream().limit(MOST_NAMED).map(item -> item + text).toList();
    if (all.size() <= MOST_NAMED) {
      return some;
    }
    String last = some.get(MOST_NAMED - 1) + " (and " + (all.size() - MOST_NAMED) + " more)";
    return List.of(some.get(0), some.get(1), last);
  }
}

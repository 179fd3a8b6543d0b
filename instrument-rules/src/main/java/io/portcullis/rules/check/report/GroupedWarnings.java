package io.portcullis.rules.check.report;

import java.util.List;

/** Keeps a warning that many methods share readable. */
final class GroupedWarnings {
  private static final int MAX_NAMED = 3;

  private GroupedWarnings() {}

  /** The first few, each followed by the text; the last of them tells how many there are more. */
  static List<String> by(String text, List<String> all) {
    List<String> some = all.stream().limit(MAX_NAMED).map(item -> item + text).toList();
    if (all.size() <= MAX_NAMED) {
      return some;
    }
    String last = some.get(MAX_NAMED - 1) + " (and " + (all.size() - MAX_NAMED) + " more)";
    return List.of(some.get(0), some.get(1), last);
  }
}

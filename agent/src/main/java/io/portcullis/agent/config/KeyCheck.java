package io.portcullis.agent.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Refuses keys that a reference does not know. An empty section in a reference leaves the names
 * within it free.
 */
final class KeyCheck {
  static final String FILE_SUFFIX = "-file";

  private final Problems problems;

  KeyCheck(Problems problems) {
    this.problems = problems;
  }

  /**
   * Looks at all keys of a section and below.
   *
   * @param tolerated keys of this section that may be there and are not looked into
   */
  void check(Section set, Section reference, Set<String> tolerated) {
    for (Map.Entry<String, Node> entry : set.children().entrySet()) {
      if (!tolerated.contains(entry.getKey())) {
        check(entry.getKey(), entry.getValue(), reference);
      }
    }
  }

  private void check(String key, Node node, Section reference) {
    Node known = reference.get(key);
    if (known == null) {
      // The secret itself may stand where its file could; whoever reads it judges that.
      if (reference.get(key + FILE_SUFFIX) == null) {
        // Without its value: the key may be a misspelt password.
        problems.refuse(new Spot(node.place(), node.path(), null), unknown(key, node, reference));
      }
    } else if (known instanceof Section section && !node.isUnset()) {
      if (!(node instanceof Section inner)) {
        problems.refuse(node.spot(), "is a section; write " + key + " { … }" + example(section));
      } else if (!section.children().isEmpty()) {
        check(inner, section, Set.of());
      }
    }
  }

  private static String example(Section section) {
    return section.children().keySet().stream()
        .findFirst()
        .map(key -> " with keys such as " + key)
        .orElse("");
  }

  private static String unknown(String key, Node node, Section reference) {
    List<String> known = new ArrayList<>(reference.children().keySet());
    Optional<String> inner = inside(key, reference);
    if (inner.isPresent()) {
      return "unknown key; did you mean " + inner.get() + "?";
    }
    String suggestion = Suggestion.of(key, known);
    if (!suggestion.isEmpty()) {
      return "unknown key" + suggestion;
    }
    if (node instanceof Section section && section.get("backend") != null) {
      return "unknown key; if this is part of an election's name, put the whole name into quotes";
    }
    return "unknown key; known here: " + String.join(", ", known);
  }

  /** The right key one section too high. */
  private static Optional<String> inside(String key, Section reference) {
    return reference.children().entrySet().stream()
        .filter(entry -> entry.getValue() instanceof Section)
        .filter(entry -> ((Section) entry.getValue()).get(key) != null)
        .map(entry -> entry.getKey() + "." + key)
        .sorted()
        .findFirst();
  }
}

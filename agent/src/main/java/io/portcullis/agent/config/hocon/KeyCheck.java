package io.portcullis.agent.config.hocon;

import io.portcullis.agent.config.hocon.ConfigProblems.ProblemLocation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Refuses keys that a reference does not contain. An empty section in a reference allows any keys
 * inside it.
 */
public final class KeyCheck {
  static final String FILE_SUFFIX = "-file";

  public static final String RULE_SETS = "rule-sets";

  /** Key for rule sets in earlier versions. */
  static final String FORMER_RULE_SETS = "include";

  private final ConfigProblems problems;

  public KeyCheck(ConfigProblems problems) {
    this.problems = problems;
  }

  /**
   * Checks all keys of a section and of its subsections.
   *
   * @param tolerated keys of this section that are allowed and not checked further
   */
  public void check(ConfigSection set, ConfigSection reference, Set<String> tolerated) {
    for (Map.Entry<String, ConfigNode> entry : set.children().entrySet()) {
      if (!tolerated.contains(entry.getKey())) {
        check(entry.getKey(), entry.getValue(), reference);
      }
    }
  }

  private void check(String key, ConfigNode node, ConfigSection reference) {
    ConfigNode known = reference.get(key);
    if (known == null) {
      // An inline secret in place of its file; HoconSettings checks it when it reads the secret.
      if (reference.get(key + FILE_SUFFIX) == null) {
        // The value is omitted, because the key may be a misspelt password.
        problems.refuse(
            new ProblemLocation(node.place(), node.path(), null), unknown(key, node, reference));
      }
    } else if (known instanceof ConfigSection section && !node.isUnset()) {
      if (!(node instanceof ConfigSection inner)) {
        problems.refuse(
            node.location(), "is a section; write " + key + " { … }" + example(section));
      } else if (!section.children().isEmpty()) {
        check(inner, section, Set.of());
      }
    }
  }

  private static String example(ConfigSection section) {
    return section.children().keySet().stream()
        .findFirst()
        .map(key -> " with keys such as " + key)
        .orElse("");
  }

  private static String unknown(String key, ConfigNode node, ConfigSection reference) {
    if (key.equals(FORMER_RULE_SETS) && reference.get(RULE_SETS) != null) {
      return "this key is now called rule-sets; write rule-sets = [ … ]";
    }
    List<String> known = new ArrayList<>(reference.children().keySet());
    Optional<String> inner = inside(key, reference);
    if (inner.isPresent()) {
      return "unknown key; did you mean " + inner.get() + "?";
    }
    String suggestion = KeySuggestion.of(key, known);
    if (!suggestion.isEmpty()) {
      return "unknown key" + suggestion;
    }
    if (node instanceof ConfigSection section && section.get("backend") != null) {
      return "unknown key; if this is part of an election's name, put the whole name into quotes";
    }
    return "unknown key; known here: " + String.join(", ", known);
  }

  /** Finds a subsection that contains the key: it was written one level too high. */
  private static Optional<String> inside(String key, ConfigSection reference) {
    return reference.children().entrySet().stream()
        .filter(entry -> entry.getValue() instanceof ConfigSection)
        .filter(entry -> ((ConfigSection) entry.getValue()).get(key) != null)
        .map(entry -> entry.getKey() + "." + key)
        .sorted()
        .findFirst();
  }
}

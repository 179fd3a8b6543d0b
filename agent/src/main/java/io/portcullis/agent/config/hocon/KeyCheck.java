package io.portcullis.agent.config.hocon;

import io.portcullis.agent.config.hocon.ConfigProblems.ProblemLocation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

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
  private final KnownKeys elsewhere;

  /**
   * Creates a check.
   *
   * @param elsewhere the keys of the whole configuration, to find where an unknown key belongs
   */
  public KeyCheck(ConfigProblems problems, KnownKeys elsewhere) {
    this.problems = problems;
    this.elsewhere = elsewhere;
  }

  /**
   * Checks all keys of a section and of its subsections.
   *
   * @param tolerated keys of this section that are allowed and not checked further
   */
  public void check(ConfigSection set, ConfigSection reference, Set<String> tolerated) {
    check(set, reference, tolerated, new KnownKeys().add(set.path(), reference));
  }

  private void check(
      ConfigSection set, ConfigSection reference, Set<String> tolerated, KnownKeys near) {
    for (Map.Entry<String, ConfigNode> entry : set.children().entrySet()) {
      if (!tolerated.contains(entry.getKey())) {
        check(entry.getKey(), entry.getValue(), reference, near);
      }
    }
  }

  private void check(String key, ConfigNode node, ConfigSection reference, KnownKeys near) {
    ConfigNode known = reference.get(key);
    if (known == null) {
      // An inline secret in place of its file; HoconSettings checks it when it reads the secret.
      if (reference.get(key + FILE_SUFFIX) == null) {
        // The value is omitted, because the key may be a misspelt password.
        problems.refuse(
            new ProblemLocation(node.place(), node.path(), null),
            unknown(key, node, reference, near));
      }
    } else if (known instanceof ConfigSection section && !node.isUnset()) {
      if (!(node instanceof ConfigSection inner)) {
        problems.refuse(
            node.location(), "is a section; write " + key + " { … }" + example(section));
      } else if (!section.children().isEmpty()) {
        check(inner, section, Set.of(), near);
      }
    }
  }

  private static String example(ConfigSection section) {
    return section.children().keySet().stream()
        .findFirst()
        .map(key -> " with keys such as " + key)
        .orElse("");
  }

  private String unknown(String key, ConfigNode node, ConfigSection reference, KnownKeys near) {
    if (key.equals(FORMER_RULE_SETS) && reference.get(RULE_SETS) != null) {
      return "this key is now called rule-sets; write rule-sets = [ … ]";
    }
    List<String> known = new ArrayList<>(reference.children().keySet());
    return Stream.of(
            near.belongs(key, node), KeySuggestion.of(key, known), elsewhere.belongs(key, node))
        .filter(hint -> !hint.isEmpty())
        .findFirst()
        .map(hint -> "unknown key" + hint)
        .orElseGet(
            () ->
                node instanceof ConfigSection section && section.get("backend") != null
                    ? "unknown key; if this is part of an election's name, put the whole name into"
                        + " quotes"
                    : "unknown key; known here: " + String.join(", ", known));
  }
}

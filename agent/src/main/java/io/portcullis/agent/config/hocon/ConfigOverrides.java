package io.portcullis.agent.config.hocon;

import io.portcullis.agent.config.hocon.ConfigFile.ConfigFileLocator;
import io.portcullis.agent.config.hocon.ConfigProblems.ProblemLocation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Applies environment variables and then system properties to the configuration of the file. An
 * override can't create an election, a fence or a rule.
 */
public final class ConfigOverrides {
  static final String PROPERTY_PREFIX = "portcullis.";
  static final String VARIABLE_PREFIX = "PORTCULLIS__";

  private static final String RULE = "rule.";
  private static final String FENCE = "fence.";

  private final ConfigSection root;
  private final ConfigProblems problems;

  public ConfigOverrides(ConfigSection root, ConfigProblems problems) {
    this.root = root;
    this.problems = problems;
  }

  /** Applies all overrides except those of rules. */
  public void apply(ConfigSource source) {
    apply(source, false);
  }

  /** Applies the overrides of rules; called after rule sets are expanded. */
  public void applyToRules(ConfigSource source) {
    apply(source, true);
  }

  private void apply(ConfigSource source, boolean forRules) {
    for (ConfigOverride override : overrides(source)) {
      if (override.isForRule() == forRules) {
        apply(override);
      }
    }
  }

  /** Lists all overrides; later ones take precedence. */
  private static List<ConfigOverride> overrides(ConfigSource source) {
    List<ConfigOverride> overrides = new ArrayList<>();
    for (Map.Entry<String, String> variable : new TreeMap<>(source.environment()).entrySet()) {
      String name = variable.getKey();
      if (name.startsWith(VARIABLE_PREFIX)) {
        String rest = name.substring(VARIABLE_PREFIX.length());
        String key = rest.replace("__", ".").replace('_', '-');
        overrides.add(new ConfigOverride(ValueOrigin.environment(name), key, variable.getValue()));
      }
    }
    for (Map.Entry<String, String> property : new TreeMap<>(source.properties()).entrySet()) {
      String name = property.getKey();
      if (name.startsWith(PROPERTY_PREFIX) && !name.equals(ConfigFileLocator.PROPERTY)) {
        String key = name.substring(PROPERTY_PREFIX.length());
        overrides.add(new ConfigOverride(ValueOrigin.property(name), key, property.getValue()));
      }
    }
    return overrides;
  }

  private record ConfigOverride(ValueOrigin place, String key, String value) {
    ProblemLocation location() {
      return new ProblemLocation(place, PROPERTY_PREFIX + key, value);
    }

    boolean isForRule() {
      return key.startsWith(RULE);
    }

    /** Whether the key starts with this id. Variables can't tell an underscore from a hyphen. */
    boolean matches(String id, String rest) {
      boolean variable = place.layer() == ValueOrigin.Layer.ENVIRONMENT;
      String spelling = variable ? id.replace('_', '-') : id;
      return rest.equals(spelling) || rest.startsWith(spelling + ".");
    }

    String after(String prefix) {
      return key.substring(prefix.length());
    }
  }

  private void apply(ConfigOverride override) {
    String key = override.key();
    if (key.startsWith("elections.")) {
      Map<String, ConfigSection> elections = new TreeMap<>();
      root.section("elections")
          .children()
          .forEach(
              (id, node) -> {
                if (node instanceof ConfigSection election) {
                  elections.put(id, election);
                }
              });
      applyById(override, override.after("elections."), "election", elections);
    } else if (override.isForRule()) {
      applyById(override, override.after(RULE), "rule", itemsOf("rules"));
    } else if (key.startsWith(FENCE)) {
      applyById(override, override.after(FENCE), "fence", itemsOf("fences"));
    } else if (key.equals("fence") || key.equals("fences") || key.startsWith("fences.")) {
      problems.refuse(
          override.location(),
          "fences are addressed by id: portcullis.fence.<id>.url, for example");
    } else if (key.equals("rule") || key.equals("rules") || key.startsWith("rules.")) {
      problems.refuse(
          override.location(), "rules are addressed by id: portcullis.rule.<id>.mode, for example");
    } else {
      put(root, key, override);
    }
  }

  private Map<String, ConfigSection> itemsOf(String list) {
    Map<String, ConfigSection> items = new TreeMap<>();
    if (root.get(list) instanceof ConfigNode.Listing listing) {
      for (ConfigNode item : listing.items()) {
        if (item instanceof ConfigSection section
            && section.get("id") instanceof ConfigNode.Leaf id) {
          items.putIfAbsent(id.text(), section);
        }
      }
    }
    return items;
  }

  private void applyById(
      ConfigOverride override, String rest, String kind, Map<String, ConfigSection> sections) {
    List<String> matches = longestMatches(override, rest, sections.keySet());
    if (matches.isEmpty()) {
      String name = rest.replaceFirst("\\..*", "");
      problems.refuse(
          override.location(),
          "the file has no "
              + kind
              + " "
              + name
              + KeySuggestion.nearest(name, sections.keySet())
                  .map(near -> "; did you mean " + near + "?")
                  .orElse("; it has " + (sections.isEmpty() ? "none" : join(sections))));
      return;
    }
    if (isAmbiguous(matches, override)) {
      return;
    }
    String id = matches.get(0);
    ConfigSection section = sections.get(id);
    if (section == null || rest.length() == id.length()) {
      problems.refuse(override.location(), "is a section; name a key inside it");
    } else if (!kind.equals("election") && rest.substring(id.length() + 1).equals("id")) {
      problems.refuse(
          override.location(), "a " + kind + "'s id can't be overridden; change it in the file");
    } else {
      put(section, rest.substring(id.length() + 1), override);
    }
  }

  /** The longest id that the key starts with; several ids if they differ only in underscores. */
  private static List<String> longestMatches(
      ConfigOverride override, String rest, Set<String> ids) {
    List<String> matches = new ArrayList<>();
    for (String id : new TreeSet<>(ids)) {
      if (override.matches(id, rest)) {
        if (!matches.isEmpty() && matches.get(0).length() < id.length()) {
          matches.clear();
        }
        if (matches.isEmpty() || matches.get(0).length() == id.length()) {
          matches.add(id);
        }
      }
    }
    return matches;
  }

  private boolean isAmbiguous(List<String> matches, ConfigOverride override) {
    if (matches.size() > 1) {
      problems.refuse(
          override.location(),
          "matches each of " + String.join(", ", matches) + "; use a system property instead");
    }
    return matches.size() > 1;
  }

  private void put(ConfigSection start, String key, ConfigOverride override) {
    List<String> matches = longestMatches(override, key, start.children().keySet());
    if (isAmbiguous(matches, override)) {
      return;
    }
    // An existing key may contain dots; a new key ends at the first dot.
    String name = matches.isEmpty() ? key.replaceFirst("\\..*", "") : matches.get(0);
    if (name.length() == key.length()) {
      putLeaf(start, name, override);
    } else {
      ConfigSection inner = subsection(start, name, override);
      if (inner != null) {
        put(inner, key.substring(name.length() + 1), override);
      }
    }
  }

  private void putLeaf(ConfigSection section, String last, ConfigOverride override) {
    if (last.isEmpty()) {
      problems.refuse(override.location(), "names no key; write portcullis.<key>");
    } else if (section.get(last) instanceof ConfigSection) {
      problems.refuse(override.location(), "is a section; name a key inside it");
    } else {
      String text = override.value().strip();
      Object value = text.isEmpty() || text.equals("null") ? null : override.value();
      section.put(last, new ConfigNode.Leaf(section.pathOf(last), override.place(), value));
    }
  }

  private @Nullable ConfigSection subsection(
      ConfigSection section, String name, ConfigOverride override) {
    ConfigNode node = section.get(name);
    if (node instanceof ConfigSection inner) {
      return inner;
    }
    if (node instanceof ConfigNode.Listing) {
      problems.refuse(
          override.location(), "a list can't be set item by item; set it whole, such as [a, b]");
      return null;
    }
    if (node != null && !node.isUnset()) {
      problems.refuse(override.location(), node.path() + " is a value and has no keys inside");
      return null;
    }
    ConfigSection created = new ConfigSection(section.pathOf(name), override.place());
    section.put(name, created);
    return created;
  }

  private static String join(Map<String, ConfigSection> sections) {
    return String.join(", ", sections.keySet());
  }
}

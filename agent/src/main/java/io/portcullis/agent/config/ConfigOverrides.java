package io.portcullis.agent.config;

import io.portcullis.agent.config.ConfigFile.ConfigFileLocator;
import io.portcullis.agent.config.ConfigProblems.ProblemLocation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Lays the environment and then the system properties over the file. An override changes what the
 * file has: it makes no election and no rule.
 */
final class ConfigOverrides {
  static final String PROPERTY_PREFIX = "portcullis.";
  static final String VARIABLE_PREFIX = "PORTCULLIS__";

  private static final String RULE = "rule.";
  private static final String FENCE = "fence.";

  private final ConfigSection root;
  private final ConfigProblems problems;

  ConfigOverrides(ConfigSection root, ConfigProblems problems) {
    this.root = root;
    this.problems = problems;
  }

  /** Applies all that addresses no rule. */
  void apply(ConfigSource source) {
    apply(source, false);
  }

  /** Applies what addresses a rule; to be called once all rules are there. */
  void applyToRules(ConfigSource source) {
    apply(source, true);
  }

  private void apply(ConfigSource source, boolean toRules) {
    for (Wish wish : wishes(source)) {
      if (wish.isOfARule() == toRules) {
        apply(wish);
      }
    }
  }

  /** The strongest come last. */
  private static List<Wish> wishes(ConfigSource source) {
    List<Wish> wishes = new ArrayList<>();
    for (Map.Entry<String, String> variable : new TreeMap<>(source.environment()).entrySet()) {
      String name = variable.getKey();
      if (name.startsWith(VARIABLE_PREFIX)) {
        String rest = name.substring(VARIABLE_PREFIX.length());
        String key = rest.replace("__", ".").replace('_', '-');
        wishes.add(new Wish(ValueOrigin.environment(name), key, variable.getValue()));
      }
    }
    for (Map.Entry<String, String> property : new TreeMap<>(source.properties()).entrySet()) {
      String name = property.getKey();
      if (name.startsWith(PROPERTY_PREFIX) && !name.equals(ConfigFileLocator.PROPERTY)) {
        String key = name.substring(PROPERTY_PREFIX.length());
        wishes.add(new Wish(ValueOrigin.property(name), key, property.getValue()));
      }
    }
    return wishes;
  }

  private record Wish(ValueOrigin place, String key, String value) {
    ProblemLocation spot() {
      return new ProblemLocation(place, PROPERTY_PREFIX + key, value);
    }

    boolean isOfARule() {
      return key.startsWith(RULE);
    }

    /** In a variable an underscore is a hyphen, so it may stand for an id's underscore too. */
    boolean names(String id, String rest) {
      boolean variable = place.layer() == ValueOrigin.Layer.ENVIRONMENT;
      String spelt = variable ? id.replace('_', '-') : id;
      return rest.equals(spelt) || rest.startsWith(spelt + ".");
    }

    String after(String prefix) {
      return key.substring(prefix.length());
    }
  }

  private void apply(Wish wish) {
    String key = wish.key();
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
      applyById(wish, wish.after("elections."), "election", elections);
    } else if (wish.isOfARule()) {
      applyById(wish, wish.after(RULE), "rule", itemsOf("rules"));
    } else if (key.startsWith(FENCE)) {
      applyById(wish, wish.after(FENCE), "fence", itemsOf("fences"));
    } else if (key.equals("fence") || key.equals("fences") || key.startsWith("fences.")) {
      problems.refuse(
          wish.spot(), "fences are addressed by id: portcullis.fence.<id>.url, for example");
    } else if (key.equals("rule") || key.equals("rules") || key.startsWith("rules.")) {
      problems.refuse(
          wish.spot(), "rules are addressed by id: portcullis.rule.<id>.mode, for example");
    } else {
      put(root, key, wish);
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

  private void applyById(Wish wish, String rest, String kind, Map<String, ConfigSection> sections) {
    List<String> meant = longest(wish, rest, sections.keySet());
    if (meant.isEmpty()) {
      String asked = rest.replaceFirst("\\..*", "");
      problems.refuse(
          wish.spot(),
          "the file has no "
              + kind
              + " "
              + asked
              + KeySuggestion.nearest(asked, sections.keySet())
                  .map(near -> "; did you mean " + near + "?")
                  .orElse("; it has " + (sections.isEmpty() ? "none" : join(sections))));
      return;
    }
    if (isAmbiguous(meant, wish)) {
      return;
    }
    String id = meant.get(0);
    ConfigSection section = sections.get(id);
    if (section == null || rest.length() == id.length()) {
      problems.refuse(wish.spot(), "is a section; name a key inside it");
    } else if (!kind.equals("election") && rest.substring(id.length() + 1).equals("id")) {
      problems.refuse(
          wish.spot(), "a " + kind + "'s id can't be overridden; change it in the file");
    } else {
      put(section, rest.substring(id.length() + 1), wish);
    }
  }

  /** The longest id that the key starts with; several if they differ only by underscores. */
  private static List<String> longest(Wish wish, String rest, Set<String> ids) {
    List<String> meant = new ArrayList<>();
    for (String id : new TreeSet<>(ids)) {
      if (wish.names(id, rest)) {
        if (!meant.isEmpty() && meant.get(0).length() < id.length()) {
          meant.clear();
        }
        if (meant.isEmpty() || meant.get(0).length() == id.length()) {
          meant.add(id);
        }
      }
    }
    return meant;
  }

  private boolean isAmbiguous(List<String> meant, Wish wish) {
    if (meant.size() > 1) {
      problems.refuse(
          wish.spot(),
          "may mean each of " + String.join(", ", meant) + "; use a system property instead");
    }
    return meant.size() > 1;
  }

  private void put(ConfigSection start, String key, Wish wish) {
    List<String> meant = longest(wish, key, start.children().keySet());
    if (isAmbiguous(meant, wish)) {
      return;
    }
    // A name that the section has may hold dots; a new one ends before the first.
    String name = meant.isEmpty() ? key.replaceFirst("\\..*", "") : meant.get(0);
    if (name.length() == key.length()) {
      putHere(start, name, wish);
    } else {
      ConfigSection inner = into(start, name, wish);
      if (inner != null) {
        put(inner, key.substring(name.length() + 1), wish);
      }
    }
  }

  private void putHere(ConfigSection section, String last, Wish wish) {
    if (last.isEmpty()) {
      problems.refuse(wish.spot(), "names no key; write portcullis.<key>");
    } else if (section.get(last) instanceof ConfigSection) {
      problems.refuse(wish.spot(), "is a section; name a key inside it");
    } else {
      String text = wish.value().strip();
      Object value = text.isEmpty() || text.equals("null") ? null : wish.value();
      section.put(last, new ConfigNode.Leaf(section.pathOf(last), wish.place(), value));
    }
  }

  private @Nullable ConfigSection into(ConfigSection section, String name, Wish wish) {
    ConfigNode node = section.get(name);
    if (node instanceof ConfigSection inner) {
      return inner;
    }
    if (node instanceof ConfigNode.Listing) {
      problems.refuse(
          wish.spot(), "a list can't be set item by item; set it whole, such as [a, b]");
      return null;
    }
    if (node != null && !node.isUnset()) {
      problems.refuse(wish.spot(), node.path() + " is a value and has no keys inside");
      return null;
    }
    ConfigSection made = new ConfigSection(section.pathOf(name), wish.place());
    section.put(name, made);
    return made;
  }

  private static String join(Map<String, ConfigSection> sections) {
    return String.join(", ", sections.keySet());
  }
}

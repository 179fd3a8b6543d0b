package io.portcullis.agent.config;

import io.portcullis.agent.config.hocon.ConfigNode;
import io.portcullis.agent.config.hocon.ConfigProblems;
import io.portcullis.agent.config.hocon.ConfigSection;
import io.portcullis.agent.config.hocon.ConfigTreeBuilder;
import io.portcullis.agent.config.hocon.KeyCheck;
import io.portcullis.agent.config.hocon.KeySuggestion;
import io.portcullis.agent.config.hocon.ValueOrigin;
import io.portcullis.agent.config.hocon.ValueReader;
import io.portcullis.agent.config.hocon.ValueReader.InvalidValueException;
import io.portcullis.rules.spec.RuleSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Appends the rules of the sets listed in {@code rule-sets} to the rules of the file. From then on
 * they are ordinary rules: they are addressed by their ids, overrides change them, and their
 * problems are reported with their origin.
 */
final class RuleSetExpander {
  private static final String RULES = "rules";
  private static final String SET = "set";
  private static final String ELECTION = "election";
  private static final String MODE = "mode";
  private static final String FORM = "write a set's name, or { set = <name>, election = <name> }";

  /** Keys of a set's rules that can't be changed. */
  private static final Set<String> FIXED = Set.of("id", "match", "action", RuleSpec.ONE_OF);

  private final ConfigSection root;
  private final Collection<String> elections;
  private final ConfigProblems problems;
  private final List<ConfigNode> rules = new ArrayList<>();
  private final Set<String> included = new HashSet<>();

  RuleSetExpander(ConfigSection root, ConfigProblems problems) {
    this.root = root;
    this.elections = root.section("elections").children().keySet();
    this.problems = problems;
  }

  /** Expands the sets. Called once, after all overrides except those of rules are applied. */
  void expand() {
    ConfigNode ruleSets = root.get(KeyCheck.RULE_SETS);
    if (ruleSets == null || ruleSets.isUnset()) {
      return;
    }
    for (ConfigNode item : items(ruleSets)) {
      if (item instanceof ConfigNode.Leaf name) {
        add(name, new ConfigSection(item.path(), item.place()));
      } else if (item instanceof ConfigSection options
          && options.get(SET) instanceof ConfigNode.Leaf name) {
        add(name, options);
      } else {
        problems.refuse(item.location(), "names no rule set; " + FORM);
      }
    }
    append(ruleSets);
  }

  private List<ConfigNode> items(ConfigNode ruleSets) {
    try { // An override is a single string; the list reader splits it.
      return ValueReader.<ConfigNode>list(item -> item).read(ruleSets);
    } catch (InvalidValueException e) {
      problems.refuse(ruleSets.location(), e.why() + "; " + FORM);
      return List.of();
    }
  }

  private void add(ConfigNode.Leaf name, ConfigSection options) {
    if (!RuleSet.NAMES.contains(name.text())) {
      problems.refuse(
          name.location(),
          "there is no rule set "
              + name.text()
              + KeySuggestion.of(name.text(), RuleSet.NAMES)
              + "; there are: "
              + String.join(", ", RuleSet.NAMES));
    } else if (!included.add(name.text())) {
      problems.refuse(name.location(), "rule set " + name.text() + " is listed already");
    } else {
      RuleSet set = RuleSet.read(name.text());
      refuseUnknown(options, set);
      for (ConfigSection rule : set.rules()) {
        for (String election : electionsOf(set, name, options)) {
          rules.add(expand(rule, election, set, options));
        }
      }
    }
  }

  /**
   * The elections for which the set's rules are created. An empty string leaves the election of a
   * rule unset: it is set by the options, or missing and reported later.
   */
  private Collection<String> electionsOf(RuleSet set, ConfigNode.Leaf name, ConfigSection options) {
    if (options.get(ELECTION) != null || elections.isEmpty()) {
      return List.of("");
    }
    if (set.scope() == RuleSet.ElectionScope.EACH) {
      return elections;
    }
    if (set.scope() == RuleSet.ElectionScope.NAMED && elections.size() > 1) {
      problems.refuse(
          name.location(),
          "there are several elections; write { set = %s, election = … } with one of %s"
              .formatted(name.text(), String.join(", ", elections)));
    }
    return List.of(elections.iterator().next());
  }

  /**
   * Creates a rule from a rule of the set and the options. A key of the set applies to those of its
   * rules that have it.
   */
  private ConfigSection expand(
      ConfigSection rule, String election, RuleSet set, ConfigSection options) {
    String id = String.valueOf(value(rule, "id"));
    boolean severalElections = set.scope() == RuleSet.ElectionScope.EACH && elections.size() > 1;
    String newId = severalElections && !election.isEmpty() ? id + "." + election : id;
    ConfigSection expanded = new ConfigSection(ConfigTreeBuilder.RULE + newId, rule.place());
    rule.children().forEach((key, node) -> put(expanded, key, node.place(), value(rule, key)));
    put(expanded, "id", rule.location("id").place(), newId);
    if (!election.isEmpty()) {
      put(expanded, ELECTION, options.place(), election);
    }
    options
        .children()
        .forEach(
            (key, node) -> {
              if (key.equals(ELECTION) || key.equals(MODE) || rule.get(key) != null) {
                put(expanded, key, node.place(), value(options, key));
              }
            });
    return expanded;
  }

  private void refuseUnknown(ConfigSection options, RuleSet set) {
    options
        .children()
        .forEach(
            (key, node) -> {
              if (!key.equals(SET) && !isOption(set, key)) {
                problems.refuse(
                    node.location(),
                    "rule set " + set.name() + " has no such key; it has " + optionKeys(set));
              }
            });
  }

  private static boolean isOption(RuleSet set, String key) {
    return optionKeys(set).contains(key);
  }

  private static List<String> optionKeys(RuleSet set) {
    List<String> keys = new ArrayList<>(List.of(ELECTION, MODE));
    set.rules().stream()
        .flatMap(rule -> rule.children().keySet().stream())
        .filter(key -> !FIXED.contains(key))
        .distinct()
        .sorted()
        .forEach(keys::add);
    return keys;
  }

  private static void put(
      ConfigSection rule, String key, ValueOrigin place, @Nullable Object value) {
    rule.put(key, new ConfigNode.Leaf(rule.pathOf(key), place, value));
  }

  private static @Nullable Object value(ConfigSection section, String key) {
    return section.get(key) instanceof ConfigNode.Leaf leaf ? leaf.value() : null;
  }

  private void append(ConfigNode ruleSets) {
    ConfigNode own = root.get(RULES);
    List<ConfigNode> all = new ArrayList<>();
    if (own instanceof ConfigNode.Listing listing) {
      all.addAll(listing.items());
    } else if (own != null && !own.isUnset()) {
      return; // Not a list: RuleReader refuses it.
    }
    all.addAll(rules);
    ValueOrigin place = own == null ? ruleSets.place() : own.place();
    root.put(RULES, new ConfigNode.Listing(root.pathOf(RULES), place, all));
  }
}

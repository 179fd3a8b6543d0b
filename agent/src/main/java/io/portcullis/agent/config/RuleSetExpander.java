package io.portcullis.agent.config;

import io.portcullis.agent.config.ValueReader.InvalidValueException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Puts the rules of the sets listed in {@code rule-sets} behind those of the file. From then on
 * they are rules like any other: they go by their ids, overrides change them, and what is wrong
 * with one is told at its place.
 */
final class RuleSetExpander {
  static final String KEY = "rule-sets";
  private static final String RULES = "rules";
  private static final String SET = "set";
  private static final String ELECTION = "election";
  private static final String FORM = "write a set's name, or { set = <name>, election = <name> }";

  /** What makes a rule of a set what it is. */
  private static final Set<String> FIXED = Set.of("id", "match", "action");

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

  /** To be called once, when everything but the rules is in its final state. */
  void expand() {
    ConfigNode ruleSets = root.get(KEY);
    if (ruleSets == null || ruleSets.isUnset()) {
      return;
    }
    for (ConfigNode item : items(ruleSets)) {
      if (item instanceof ConfigNode.Leaf name) {
        add(name, new ConfigSection(item.path(), item.place()));
      } else if (item instanceof ConfigSection wishes
          && wishes.get(SET) instanceof ConfigNode.Leaf name) {
        add(name, wishes);
      } else {
        problems.refuse(item.spot(), "names no rule set; " + FORM);
      }
    }
    append(ruleSets);
  }

  private List<ConfigNode> items(ConfigNode ruleSets) {
    try { // An override is one text.
      return ValueReader.<ConfigNode>list(item -> item).read(ruleSets);
    } catch (InvalidValueException e) {
      problems.refuse(ruleSets.spot(), e.why() + "; " + FORM);
      return List.of();
    }
  }

  private void add(ConfigNode.Leaf name, ConfigSection wishes) {
    if (!RuleSet.NAMES.contains(name.text())) {
      problems.refuse(
          name.spot(),
          "there is no rule set "
              + name.text()
              + KeySuggestion.of(name.text(), RuleSet.NAMES)
              + "; there are: "
              + String.join(", ", RuleSet.NAMES));
    } else if (!included.add(name.text())) {
      problems.refuse(name.spot(), "rule set " + name.text() + " is listed already");
    } else {
      RuleSet set = RuleSet.read(name.text());
      refuseUnknown(wishes, set);
      for (ConfigSection rule : set.rules()) {
        for (String election : electionsOf(set, name, wishes)) {
          rules.add(made(rule, election, set, wishes));
        }
      }
    }
  }

  /** Empty texts where there is none to be named, which is told elsewhere. */
  private Collection<String> electionsOf(RuleSet set, ConfigNode.Leaf name, ConfigSection wishes) {
    if (wishes.get(ELECTION) != null || elections.isEmpty()) {
      return List.of("");
    }
    if (set.wants() == RuleSet.Wants.EACH) {
      return elections;
    }
    if (set.wants() == RuleSet.Wants.NAMED && elections.size() > 1) {
      problems.refuse(
          name.spot(),
          "there are several elections; write { set = %s, election = … } with one of %s"
              .formatted(name.text(), String.join(", ", elections)));
    }
    return List.of(elections.iterator().next());
  }

  /** A rule of the set with all that is wished of it. */
  private ConfigSection made(
      ConfigSection rule, String election, RuleSet set, ConfigSection wishes) {
    String id = String.valueOf(value(rule, "id"));
    boolean several = set.wants() == RuleSet.Wants.EACH && elections.size() > 1;
    String ownId = several && !election.isEmpty() ? id + "." + election : id;
    ConfigSection made = new ConfigSection(ConfigTreeBuilder.RULE + ownId, rule.place());
    rule.children().forEach((key, node) -> put(made, key, node.place(), value(rule, key)));
    put(made, "id", rule.spot("id").place(), ownId);
    if (!election.isEmpty()) {
      put(made, ELECTION, wishes.place(), election);
    }
    wishes
        .children()
        .forEach(
            (key, node) -> {
              if (!key.equals(SET)) {
                put(made, key, node.place(), value(wishes, key));
              }
            });
    return made;
  }

  private void refuseUnknown(ConfigSection wishes, RuleSet set) {
    wishes
        .children()
        .forEach(
            (key, node) -> {
              if (!key.equals(SET) && !isOpenTo(set, key)) {
                problems.refuse(
                    node.spot(),
                    "rule set " + set.name() + " has no such key; it has " + open(set));
              }
            });
  }

  private static boolean isOpenTo(RuleSet set, String key) {
    return open(set).contains(key);
  }

  private static List<String> open(RuleSet set) {
    List<String> keys = new ArrayList<>(List.of(ELECTION, "mode"));
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
      return; // It will be refused for not being a list.
    }
    all.addAll(rules);
    ValueOrigin place = own == null ? ruleSets.place() : own.place();
    root.put(RULES, new ConfigNode.Listing(root.pathOf(RULES), place, all));
  }
}

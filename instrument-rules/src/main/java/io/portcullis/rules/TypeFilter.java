package io.portcullis.rules;

import io.portcullis.rules.match.TypePattern;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Tells which rules can mean a class, by its internal name alone. It is asked for every class that
 * the JVM loads, so a miss allocates nothing: one look-up in a hash table, and for each rule with
 * wildcards a comparison of the name's beginning and end.
 */
final class TypeFilter {
  private final Map<String, List<InstalledRule>> exact = new HashMap<>();
  private final InstalledRule[] wildcards;
  private final List<InstalledRule> all;

  TypeFilter(List<InstalledRule> rules) {
    List<InstalledRule> others = new ArrayList<>();
    for (InstalledRule rule : rules) {
      if (rule.rule().match().type() instanceof TypePattern.Exact type) {
        exact.computeIfAbsent(type.internalName(), name -> new ArrayList<>()).add(rule);
      } else {
        others.add(rule);
      }
    }
    wildcards = others.toArray(new InstalledRule[0]);
    all = List.copyOf(rules);
  }

  boolean mayMean(String internalName) {
    if (exact.containsKey(internalName)) {
      return true;
    }
    for (InstalledRule rule : wildcards) {
      if (rule.rule().match().type().matchesInternal(internalName)) {
        return true;
      }
    }
    return false;
  }

  /** In the order of the rules: the first is the outermost gate of a method. */
  List<InstalledRule> meaning(String internalName) {
    List<InstalledRule> meaning = new ArrayList<>();
    for (InstalledRule rule : all) {
      if (rule.rule().match().type().matchesInternal(internalName)) {
        meaning.add(rule);
      }
    }
    return meaning;
  }
}

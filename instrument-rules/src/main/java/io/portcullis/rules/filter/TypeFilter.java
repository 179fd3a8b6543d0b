package io.portcullis.rules.filter;

import io.portcullis.rules.coverage.InstalledRule;
import io.portcullis.rules.match.TypePattern;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Selects the rules by name alone that match a class. It is called for every class that the JVM
 * loads, so a miss allocates nothing: one look-up in a hash table, and for each rule with wildcards
 * a comparison of the name's beginning and end.
 */
public final class TypeFilter {
  private final Map<String, List<InstalledRule>> exact = new HashMap<>();
  private final InstalledRule[] wildcards;
  private final List<InstalledRule> all;

  public TypeFilter(List<InstalledRule> rules) {
    List<InstalledRule> others = new ArrayList<>();
    all = rules.stream().filter(rule -> rule.rule().match().goesByName()).toList();
    for (InstalledRule rule : all) {
      if (rule.rule().match().type() instanceof TypePattern.Exact type) {
        exact.computeIfAbsent(type.internalName(), name -> new ArrayList<>()).add(rule);
      } else {
        others.add(rule);
      }
    }
    wildcards = others.toArray(new InstalledRule[0]);
  }

  public boolean mayMean(String internalName) {
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

  /** In the order of the rules. */
  public List<InstalledRule> meaning(String internalName) {
    List<InstalledRule> meaning = new ArrayList<>();
    for (InstalledRule rule : all) {
      if (rule.rule().match().type().matchesInternal(internalName)) {
        meaning.add(rule);
      }
    }
    return meaning;
  }
}

package io.portcullis.rules.filter;

import io.portcullis.rules.coverage.InstalledRule;
import io.portcullis.rules.match.TypePattern;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The rules that mean subtypes, by the type they name. Found by name, or by the beginning of the
 * name where there are wildcards: what a look-up costs grows with the number of lengths that those
 * beginnings have, not with the number of rules.
 */
final class SupertypeIndex {
  private final Map<String, List<InstalledRule>> byName = new HashMap<>();
  private final Map<String, List<InstalledRule>> byPrefix = new HashMap<>();
  private final int[] prefixLengths;

  SupertypeIndex(Collection<InstalledRule> rules) {
    for (InstalledRule rule : rules) {
      TypePattern type = rule.rule().match().type();
      if (type instanceof TypePattern.Exact exact) {
        byName.computeIfAbsent(exact.binaryName(), name -> new ArrayList<>()).add(rule);
      } else if (type instanceof TypePattern.Wildcard wildcard) {
        byPrefix.computeIfAbsent(wildcard.prefix(), prefix -> new ArrayList<>()).add(rule);
      }
    }
    prefixLengths = byPrefix.keySet().stream().mapToInt(String::length).distinct().toArray();
  }

  boolean isEmpty() {
    return byName.isEmpty() && byPrefix.isEmpty();
  }

  /** Adds the rules that name a type. */
  void collect(String name, Collection<InstalledRule> rules) {
    List<InstalledRule> named = byName.get(name);
    if (named != null) {
      rules.addAll(named);
    }
    for (int length : prefixLengths) {
      if (length <= name.length()) {
        List<InstalledRule> candidates = byPrefix.get(name.substring(0, length));
        if (candidates != null) {
          collect(candidates, name, rules);
        }
      }
    }
  }

  private static void collect(
      List<InstalledRule> candidates, String name, Collection<InstalledRule> rules) {
    for (InstalledRule rule : candidates) {
      if (rule.rule().match().type().matches(name)) {
        rules.add(rule);
      }
    }
  }
}

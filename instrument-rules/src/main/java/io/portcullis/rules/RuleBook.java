package io.portcullis.rules;

import io.portcullis.gate.Checkpoint;
import io.portcullis.gate.ElectionGate;
import io.portcullis.gate.Gate;
import io.portcullis.gate.Refusal;
import io.portcullis.gate.Refusal.Verdict;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** The rules of this JVM, each with its checkpoint at the gate. */
public final class RuleBook {
  private static final Refusal OBSERVE = (checkpoint, sinceNanos) -> Verdict.RUN;

  private final List<InstalledRule> rules;
  private final Canary canary;

  private RuleBook(List<InstalledRule> rules, Canary canary) {
    this.rules = List.copyOf(rules);
    this.canary = canary;
  }

  /**
   * Gives each rule its checkpoint, before any class can be woven with it.
   *
   * @param elections the gate of an election, by name
   * @throws IllegalArgumentException if two rules have one id
   */
  public static RuleBook install(
      List<Rule> rules,
      Function<String, ElectionGate> elections,
      RefusalWrapping wrapping,
      RuleListener listener) {
    Set<String> ids = new HashSet<>();
    for (Rule rule : rules) {
      if (!ids.add(rule.id())) {
        throw new IllegalArgumentException(
            "Two rules have the id '%s'. Give each its own.".formatted(rule.id()));
      }
    }
    List<InstalledRule> installed = new ArrayList<>();
    for (Rule rule : rules) {
      Refusal refusal = rule.observe() ? OBSERVE : rule.action().refusal();
      Checkpoint checkpoint =
          Gate.addCheckpoint(
              rule.id(), elections.apply(rule.election()), wrapping.wrap(rule, refusal));
      installed.add(new InstalledRule(rule, checkpoint, listener));
    }
    return new RuleBook(installed, Canary.install());
  }

  /** What has become of each rule so far, in their order. */
  public List<RuleCoverage> coverage() {
    return rules.stream().map(InstalledRule::coverage).toList();
  }

  /** The trial that shows whether weaving works; it is no part of the coverage. */
  public Canary canary() {
    return canary;
  }

  /** The rules to weave by, the canary's included. */
  List<InstalledRule> toWeave() {
    List<InstalledRule> all = new ArrayList<>(rules);
    all.add(canary.rule());
    return List.copyOf(all);
  }
}

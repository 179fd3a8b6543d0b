package io.portcullis.rules.check.propose;

import java.time.Duration;
import java.util.List;

/**
 * What a first configuration should contain for an application.
 *
 * @param warnings paragraphs about what the application does at start, on standbys too
 * @param mappedExceptions the application's exceptions that its framework turns into a response
 * @param missed calls of write APIs that no proposed rule gates, and why
 */
public record Proposal(
    List<RuleSetProposal> ruleSets,
    List<RuleProposal> rules,
    HealthProposal health,
    List<String> warnings,
    List<String> mappedExceptions,
    List<String> missed) {
  public Proposal {
    ruleSets = List.copyOf(ruleSets);
    rules = List.copyOf(rules);
    warnings = List.copyOf(warnings);
    mappedExceptions = List.copyOf(mappedExceptions);
    missed = List.copyOf(missed);
  }

  /** Whether any rule is proposed. */
  public boolean hasRules() {
    return !rules.isEmpty() || ruleSets.stream().anyMatch(RuleSetProposal::active);
  }

  /**
   * A ready-made rule set.
   *
   * @param active false if it is only mentioned
   * @param reasons what was found
   */
  public record RuleSetProposal(String name, boolean active, List<String> reasons) {
    public RuleSetProposal {
      reasons = List.copyOf(reasons);
    }
  }

  /**
   * A rule.
   *
   * @param timeout of the action {@code wait}; otherwise zero
   * @param observe whether it should only observe until a person has looked at it
   * @param exceptions checked exceptions that the methods declare and a refused call could throw
   * @param reasons what was found
   */
  public record RuleProposal(
      String id,
      String match,
      String action,
      Duration timeout,
      boolean observe,
      List<String> exceptions,
      List<String> reasons) {
    public RuleProposal {
      exceptions = List.copyOf(exceptions);
      reasons = List.copyOf(reasons);
    }
  }

  /**
   * A check that decides whether a node may lead.
   *
   * @param key {@code http} or {@code tcp}
   * @param active false if the address is a guess
   */
  public record HealthProposal(String key, String value, boolean active, String reason) {}
}

package io.portcullis.agent.config;

import io.portcullis.agent.extension.Extensions;

/** Validates the match, action and options of rules, which the configuration only reads. */
@FunctionalInterface
public interface RuleCheck {
  /** Accepts every rule. */
  RuleCheck NONE = (rule, extensions, problems) -> {};

  /**
   * Validates one rule. Reports problems with {@code problems.refuse(rule.spot("match"), "…")}.
   *
   * @param rule a rule with an id and a match
   * @param extensions the extensions that may contain the rule's action
   */
  void check(RuleSection rule, Extensions extensions, ConfigProblems problems);
}

package io.portcullis.agent.config;

import io.portcullis.agent.extension.Extensions;

/** Lets those who know what a rule means add their problems to the one message. */
@FunctionalInterface
public interface RuleCheck {
  /** Has nothing to say. */
  RuleCheck NONE = (rule, extensions, problems) -> {};

  /**
   * Looks at one rule. Problems go to {@code problems.refuse(rule.spot("match"), "…")}.
   *
   * @param rule a rule with an id and a match
   * @param extensions where it may have its action from
   */
  void check(RuleSection rule, Extensions extensions, ConfigProblems problems);
}

package io.portcullis.agent.config;

/** Lets those who know what a rule means add their problems to the one message. */
@FunctionalInterface
public interface RuleCheck {
  /** Has nothing to say. */
  RuleCheck NONE = (rule, problems) -> {};

  /**
   * Looks at one rule. Problems go to {@code problems.refuse(rule.spot("match"), "…")}.
   *
   * @param rule a rule with an id and a match
   */
  void check(RuleSection rule, Problems problems);
}

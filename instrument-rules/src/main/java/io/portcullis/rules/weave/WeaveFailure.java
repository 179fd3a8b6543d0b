package io.portcullis.rules.weave;

import io.portcullis.rules.plan.Rule;

/**
 * A method that a rule in force means could not be gated.
 *
 * @param className binary name
 * @param loaded whether the class was in use already, so that it can't be kept from running
 */
public record WeaveFailure(
    Rule rule, String className, String problem, boolean loaded, Throwable cause) {
  @Override
  public String toString() {
    return "rule '%s' can't gate %s: %s".formatted(rule.id(), className, problem);
  }
}

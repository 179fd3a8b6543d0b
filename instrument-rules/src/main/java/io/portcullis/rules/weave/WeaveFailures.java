package io.portcullis.rules.weave;

import io.portcullis.rules.plan.Rule;

/**
 * Decides how to handle a weave error. It is called while the class is being loaded, before any of
 * its code can run. It may halt the JVM. A class that was loaded before may stay ungated: see
 * {@link WeaveFailure#loaded()}. Never called for rules that only observe.
 */
@FunctionalInterface
public interface WeaveFailures {
  /**
   * Handles an error.
   *
   * @return true: the methods concerned will throw, or the class will not load. False: the class
   *     stays as it was before this weaver. That is for rules on trial alone, which are sure to be
   *     refused after this error
   */
  boolean failed(WeaveFailure failure);

  /**
   * A method that a rule in force matches could not be gated.
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
}

package io.portcullis.rules.coverage;

/**
 * State of a rule and its counts so far.
 *
 * @param wovenMethods over all class loaders that have not been collected
 * @param hint problems and possible fixes; empty if there is none
 * @param passed calls whose body has ended
 * @param blocked how often a call found the gate shut
 * @param slowed refused calls that were delayed, because their thread was refused too often
 */
public record RuleCoverage(
    String id,
    String match,
    String election,
    String action,
    RuleState state,
    long wovenMethods,
    String hint,
    long passed,
    long blocked,
    long slowed) {

  public enum RuleState {
    /** No class seen so far has a matching method with a body, or shows that none can exist. */
    PENDING,
    /** The rule gates at least one method. */
    ARMED,
    /** Matching classes were seen, but no method to gate. */
    NO_METHOD,
    /** At least one matching method could not be gated. This state is final. */
    FAILED
  }
}

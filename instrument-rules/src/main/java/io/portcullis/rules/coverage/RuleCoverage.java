package io.portcullis.rules.coverage;

/**
 * What has become of a rule so far.
 *
 * @param wovenMethods over all class loaders that are still there
 * @param hint what is amiss and what may help; empty if nothing is
 * @param passed calls whose body has ended
 * @param blocked how often a call found the gate shut
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
    long blocked) {

  /** How far a rule has come. */
  public enum RuleState {
    /** No class has been seen that has a body for what it means, or that shows that none can. */
    PENDING,
    /** It gates at least one method. */
    ARMED,
    /** Classes that it means were seen, but no method to gate. */
    NO_METHOD,
    /** At least one method that it means could not be gated. It stays so. */
    FAILED
  }
}

package io.portcullis.rules.coverage;

import io.portcullis.gate.RefusedCallers.RefusedCaller;
import java.util.List;

/**
 * State of a rule and its counts so far.
 *
 * @param observe whether the configuration sets the rule, or the agent, to observe
 * @param wovenMethods over all class loaders that have not been collected
 * @param hint problems and possible fixes; empty if there is none
 * @param passed calls whose body has ended
 * @param blocked how often a call found the gate shut, except calls that were only observed
 * @param observed how often a call found the gate shut and its body ran all the same
 * @param slowed refused calls that were delayed, because their thread was refused too often
 * @param refusedCallers callers of blocked calls, in the order in which they were first seen
 */
public record RuleCoverage(
    String id,
    String match,
    String election,
    String action,
    boolean observe,
    RuleState state,
    long wovenMethods,
    String hint,
    long passed,
    long blocked,
    long observed,
    long slowed,
    List<RefusedCaller> refusedCallers) {

  /** The rule's mode, as in the configuration: {@code enforce} or {@code observe}. */
  public String mode() {
    return observe ? "observe" : "enforce";
  }

  public enum RuleState {
    /** No class seen so far has a matching method with a body, or shows that none can exist. */
    PENDING,
    /** The rule gates at least one method. */
    ARMED,
    /** Like PENDING, while another rule of the same group is armed. */
    NOT_NEEDED,
    /** Matching classes were seen, but no method to gate. */
    NO_METHOD,
    /** At least one matching method could not be gated. This state is final. */
    FAILED
  }
}

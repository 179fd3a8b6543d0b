package io.portcullis.rules.coverage;

import io.portcullis.gate.RefusedCallers.RefusedCaller;
import java.util.List;

/**
 * State of a rule and its counts so far.
 *
 * @param wovenMethods over all class loaders that have not been collected
 * @param hint problems and possible fixes; empty if there is none
 * @param passed calls whose body has ended
 * @param blocked how often a call found the gate shut
 * @param slowed refused calls that were delayed, because their thread was refused too often
 * @param refusedCallers callers of blocked calls, in the order in which they were first seen
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
    long slowed,
    List<RefusedCaller> refusedCallers) {

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

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
    long blocked) {}

package io.portcullis.rules.check.report;

import io.portcullis.rules.plan.Rule;
import java.util.List;

/**
 * What a rule comes to on a class path.
 *
 * @param gated the methods it would gate
 * @param refusals what the agent would stop the JVM for
 * @param warnings what it would do, or leave undone, and what may not be meant
 */
public record RuleFindings(
    Rule rule, List<GatedMethod> gated, List<String> refusals, List<String> warnings) {
  public RuleFindings {
    gated = List.copyOf(gated);
    refusals = List.copyOf(refusals);
    warnings = List.copyOf(warnings);
  }
}

package io.portcullis.rules.coverage;

import io.portcullis.gate.Refusal;
import io.portcullis.rules.plan.Rule;

/**
 * What the agent adds to a rule's refusal: a wait while the store has not answered yet, a log line.
 * The wrapping must not turn a refusal into {@link Refusal.Verdict#RUN} for a rule in force.
 */
@FunctionalInterface
public interface RefusalWrapping {
  /** Adds nothing. */
  RefusalWrapping NONE = (rule, refusal) -> refusal;

  Refusal wrap(Rule rule, Refusal refusal);
}

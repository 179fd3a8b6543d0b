package io.portcullis.rules.coverage;

import io.portcullis.rules.plan.Rule;

/**
 * Learns when a rule's state changes. It is called on the application's thread in the middle of
 * loading a class: it must not wait, lock, or load the application's classes, but hand the news to
 * a thread of its own.
 */
@FunctionalInterface
public interface RuleListener {
  void changed(Rule rule, RuleState state, String hint);
}

package io.portcullis.agent.node;

import java.util.List;

/**
 * What came of reading the configuration again.
 *
 * @param result whether its rules are in force
 * @param message all of it in a sentence
 * @param problems what stands in the way, one by one
 */
public record ReloadOutcome(Result result, String message, List<String> problems) {
  /** How it ended. Whatever it is but the first leaves the rules as they were. */
  public enum Result {
    /** The new rules hold. */
    IN_FORCE,
    /** The configuration can't be right, or not for the classes that are loaded. */
    INVALID,
    /** It may be right, and needs another start of the JVM. */
    NEEDS_RESTART,
    /** It would disarm rules that are in force, and no operator has ordered it. */
    NEEDS_ORDER
  }

  /** Copies the list. */
  public ReloadOutcome {
    problems = List.copyOf(problems);
  }
}

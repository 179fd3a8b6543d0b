package io.portcullis.agent.node;

import java.util.List;

/**
 * Outcome of a configuration reload.
 *
 * @param message summary in one sentence
 * @param problems the individual reasons why it was not applied
 */
public record ReloadOutcome(Result result, String message, List<String> problems) {
  /** Result of a reload. All results except {@link #IN_FORCE} leave the rules unchanged. */
  public enum Result {
    /** The new rules are active. */
    IN_FORCE,
    /** The configuration is invalid, or invalid for the loaded classes. */
    INVALID,
    /** The change can be applied only by a restart of the JVM. */
    NEEDS_RESTART,
    /** The change would disarm active rules, which needs an explicit admin command. */
    NEEDS_COMMAND
  }

  public ReloadOutcome {
    problems = List.copyOf(problems);
  }
}

package io.portcullis.election.config;

import java.util.List;

/** Thrown for an invalid election configuration, with one sentence for each problem. */
public final class InvalidElectionException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final String[] problems;

  /**
   * @param what summary of what is invalid
   * @param problems a sentence for each problem
   */
  public InvalidElectionException(String what, List<String> problems) {
    super(what + ": " + String.join(" ", problems));
    this.problems = problems.toArray(String[]::new);
  }

  /** All problems, each a sentence that names the setting and what would be right. */
  public List<String> problems() {
    return List.of(problems);
  }
}

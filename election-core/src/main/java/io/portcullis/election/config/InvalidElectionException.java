package io.portcullis.election.config;

import java.util.List;

/** An election can't be set up like this. Carries one sentence for each thing that is wrong. */
public final class InvalidElectionException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final String[] problems;

  /** What it is about, and a sentence for each problem. */
  public InvalidElectionException(String what, List<String> problems) {
    super(what + ": " + String.join(" ", problems));
    this.problems = problems.toArray(String[]::new);
  }

  /** All problems at once, each a sentence that names the setting and what would be right. */
  public List<String> problems() {
    return List.of(problems);
  }
}

package io.portcullis.agent.config.hocon;

import io.portcullis.agent.config.hocon.ConfigProblems.ConfigProblem;
import java.util.List;

/** Thrown when the configuration is invalid. The message lists all problems, one per line. */
public final class InvalidConfigException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<ConfigProblem> problems;

  public InvalidConfigException(List<ConfigProblem> problems) {
    super(message(problems));
    this.problems = List.copyOf(problems);
  }

  /** All problems, sorted by origin. */
  public List<ConfigProblem> problems() {
    return problems;
  }

  private static String message(List<ConfigProblem> problems) {
    StringBuilder message = new StringBuilder("portcullis: ").append(problems.size());
    message.append(problems.size() == 1 ? " problem" : " problems");
    message.append(" in the configuration; the JVM was stopped before main");
    problems.forEach(problem -> message.append(System.lineSeparator()).append(problem));
    return message.toString();
  }
}

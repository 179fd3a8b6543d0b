package io.portcullis.rules.spec;

import java.util.List;
import java.util.stream.Collectors;

/** A rule can't be what its configuration says. All problems of the rule at once. */
public final class InvalidRuleException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  /**
   * One thing that is wrong.
   *
   * @param key the option it is about, such as {@code match} or {@code exception}
   */
  public record Problem(String key, String problem, String remedy) {
    @Override
    public String toString() {
      return "%s: %s%s".formatted(key, problem, remedy.isEmpty() ? "" : ". " + remedy + ".");
    }
  }

  private final transient List<Problem> problems;

  public InvalidRuleException(String id, List<Problem> problems) {
    super(
        "rule '%s': %s"
            .formatted(
                id, problems.stream().map(Problem::toString).collect(Collectors.joining(" | "))));
    this.problems = List.copyOf(problems);
  }

  public List<Problem> problems() {
    return problems;
  }
}

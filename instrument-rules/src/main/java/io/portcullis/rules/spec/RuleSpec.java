package io.portcullis.rules.spec;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A rule as it is configured, not yet checked.
 *
 * @param action the action's name, {@code throw} if the configuration names none
 * @param options what else the rule sets, by key; the action says which keys it knows; only {@code
 *     value} may be null
 * @param observe whether refused calls are only counted
 * @param elections all elections that there are
 */
public record RuleSpec(
    String id,
    String match,
    String election,
    String action,
    Map<String, @Nullable Object> options,
    boolean observe,
    Set<String> elections) {
  public RuleSpec {
    options = Collections.unmodifiableMap(new HashMap<>(options));
    elections = Set.copyOf(elections);
  }

  /** A rule of the only election. */
  public RuleSpec(
      String id,
      String match,
      String election,
      String action,
      Map<String, @Nullable Object> options,
      boolean observe) {
    this(id, match, election, action, options, observe, Set.of(election));
  }

  /** A rule can't be what its configuration says. All problems of the rule at once. */
  public static final class InvalidRuleException extends IllegalArgumentException {
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
}

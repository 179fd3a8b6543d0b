package io.portcullis.rules.spec;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A rule as configured, not yet checked.
 *
 * @param action the action's name, {@code throw} if the configuration names none
 * @param options the rule's other settings, by key; the action decides which keys are valid besides
 *     {@link #ONE_OF}; only {@code value} may be null
 * @param observe whether refused calls are only counted
 * @param elections the names of all configured elections
 */
public record RuleSpec(
    String id,
    String match,
    String election,
    String action,
    Map<String, @Nullable Object> options,
    boolean observe,
    Set<String> elections) {
  /** Option of every action: the name of a group of rules of which one suffices. */
  public static final String ONE_OF = "one-of";

  public RuleSpec {
    options = Collections.unmodifiableMap(new HashMap<>(options));
    elections = Set.copyOf(elections);
  }

  /** A rule where there is only one election. */
  public RuleSpec(
      String id,
      String match,
      String election,
      String action,
      Map<String, @Nullable Object> options,
      boolean observe) {
    this(id, match, election, action, options, observe, Set.of(election));
  }

  /**
   * The group of rules to which this one belongs. They gate the same in different libraries, of
   * which an application uses one, so once one of them gates methods, the others need not.
   */
  public Optional<String> oneOf() {
    return options.get(ONE_OF) instanceof String group && !group.isEmpty()
        ? Optional.of(group)
        : Optional.empty();
  }

  /** Thrown if a rule's configuration is invalid. Carries all problems of the rule at once. */
  public static final class InvalidRuleException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    /**
     * One problem of the rule.
     *
     * @param key the option concerned, such as {@code match} or {@code exception}
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

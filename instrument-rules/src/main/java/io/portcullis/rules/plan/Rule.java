package io.portcullis.rules.plan;

import io.portcullis.rules.action.Action;
import io.portcullis.rules.action.Action.CannotGateException;
import io.portcullis.rules.action.ActionOptions;
import io.portcullis.rules.action.Actions;
import io.portcullis.rules.extension.RefusalAction;
import io.portcullis.rules.match.MatchPattern;
import io.portcullis.rules.match.MatchPattern.InvalidPatternException;
import io.portcullis.rules.spec.RuleSpec;
import io.portcullis.rules.spec.RuleSpec.InvalidRuleException;
import io.portcullis.rules.spec.RuleSpec.InvalidRuleException.Problem;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A checked rule: which methods are gated by which election, and the action for refused calls.
 *
 * @param stackTraces whether a {@code NotLeaderException} carries a stack trace
 * @param observe whether no call is blocked: refused calls are only counted and run, or the action
 *     refuses none
 */
public record Rule(
    RuleSpec spec, boolean stackTraces, MatchPattern match, Action action, boolean observe) {
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9._-]+");

  /** {@link #of(RuleSpec, boolean, Collection)} without extensions. */
  public static Rule of(RuleSpec spec, boolean stackTraces) {
    return of(spec, stackTraces, List.of());
  }

  /**
   * Checks a configured rule.
   *
   * @param stackTraces whether a {@code NotLeaderException} carries a stack trace
   * @param others the actions of extensions
   * @throws InvalidRuleException with all problems of the rule
   */
  public static Rule of(RuleSpec spec, boolean stackTraces, Collection<RefusalAction> others) {
    List<Problem> problems = new ArrayList<>();
    if (!ID.matcher(spec.id()).matches()) {
      problems.add(
          new Problem(
              "id",
              "'%s' is not an id".formatted(spec.id()),
              "Use letters, digits, '.', '_' and '-'"));
    }
    if (spec.election().isBlank()) {
      problems.add(new Problem("election", "is empty", "Name one of the elections"));
    }
    MatchPattern match = match(spec, problems);
    Action action =
        Actions.create(spec.action(), new ActionOptions(spec, stackTraces, problems), others);
    if (match != null && action != null && match.meansConstructors()) {
      checkForConstructors(action, problems);
    }
    if (match == null || action == null || !problems.isEmpty()) {
      throw new InvalidRuleException(spec.id(), problems);
    }
    boolean observe = spec.observe() || !action.gates();
    return new Rule(spec, stackTraces, match, action, observe);
  }

  public String id() {
    return spec.id();
  }

  /** The election whose leader may act. */
  public String election() {
    return spec.election();
  }

  /** Whether both rules have the same configuration, and so the same effect. */
  public boolean isSameAs(Rule other) {
    return spec.equals(other.spec) && stackTraces == other.stackTraces;
  }

  /**
   * Whether the other rule gates nothing that matters once this one gates methods: both belong to
   * the same group. A rule that never refuses calls replaces none that does.
   */
  public boolean replaces(Rule other) {
    return spec.oneOf().isPresent()
        && spec.oneOf().equals(other.spec.oneOf())
        && (!observe || other.observe);
  }

  /** Reports an action that no constructor can have now, not when the first class is loaded. */
  private static void checkForConstructors(Action action, List<Problem> problems) {
    try {
      action.checkForConstructors();
    } catch (CannotGateException e) {
      problems.add(new Problem("action", String.valueOf(e.getMessage()), ""));
    }
  }

  private static @Nullable MatchPattern match(RuleSpec spec, List<Problem> problems) {
    try {
      return MatchPattern.parse(spec.match());
    } catch (InvalidPatternException e) {
      problems.add(new Problem("match", String.valueOf(e.getMessage()), ""));
      return null;
    }
  }
}

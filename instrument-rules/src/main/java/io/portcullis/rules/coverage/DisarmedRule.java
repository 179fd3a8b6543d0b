package io.portcullis.rules.coverage;

import io.portcullis.rules.action.Actions;
import io.portcullis.rules.plan.Rule;
import io.portcullis.rules.spec.RuleSpec;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A rule that a replacement of the rules would remove or weaken, so that calls which are refused
 * now would run.
 *
 * @param how the effect on the rule, as the end of a sentence that starts with the id
 */
public record DisarmedRule(String id, String how) {
  private static final int MAX_NAMED_METHODS = 3;

  @Override
  public String toString() {
    return id + " " + how;
  }

  /**
   * Compares a rule in force with the rule of the same id that would replace it, by configuration
   * alone. Which methods another match gates depends on the loaded classes, see {@link #ungating}.
   *
   * <p>In doubt, a rule counts as disarmed. An action is trusted only if it never lets the body
   * run, or if it stays exactly the same: the effect of other options on an action of an extension
   * or of a rule set is not known here. Another election may have its leader on this node while the
   * leader of the present one is elsewhere.
   */
  static Optional<DisarmedRule> between(Rule before, Optional<Rule> after) {
    if (before.observe()) {
      return Optional.empty();
    }
    return after.isEmpty()
        ? disarmed(before, "is missing")
        : weakened(before, after.get()).flatMap(how -> disarmed(before, how));
  }

  private static Optional<DisarmedRule> disarmed(Rule rule, String how) {
    return Optional.of(new DisarmedRule(rule.id(), how));
  }

  private static Optional<String> weakened(Rule before, Rule after) {
    RuleSpec was = before.spec();
    RuleSpec is = after.spec();
    if (after.observe()) {
      return Optional.of("only observes");
    }
    if (!was.election().equals(is.election())) {
      return Optional.of("follows the election " + is.election() + " instead of " + was.election());
    }
    for (String key : List.of("recheck", "interrupt")) {
      if (isOn(was, key) && !isOn(is, key)) {
        return Optional.of("no longer sets " + key);
      }
    }
    boolean sameAction = was.action().equals(is.action()) && was.options().equals(is.options());
    return sameAction || Actions.neverRunsBody(is.action())
        ? Optional.empty()
        : Optional.of("has another action or other options, with which a body may run");
  }

  private static boolean isOn(RuleSpec spec, String key) {
    return Boolean.TRUE.equals(spec.options().get(key));
  }

  /** A rule with another match, which may no longer match classes that are loaded later. */
  static Optional<DisarmedRule> rematching(Rule before, Rule after) {
    return before.spec().match().equals(after.spec().match())
        ? Optional.empty()
        : disarmed(
            before, "has another match, which may leave out methods of classes not loaded yet");
  }

  /** A rule whose new match leaves out these methods, which it gates now. */
  static Optional<DisarmedRule> ungating(String id, Set<String> lostMethods) {
    String named = lostMethods.stream().limit(MAX_NAMED_METHODS).collect(Collectors.joining(", "));
    int more = lostMethods.size() - MAX_NAMED_METHODS;
    return Optional.of(
        new DisarmedRule(
            id, "no longer gates " + named + (more > 0 ? " and " + more + " more" : "")));
  }
}

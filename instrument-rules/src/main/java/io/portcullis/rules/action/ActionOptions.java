package io.portcullis.rules.action;

import io.portcullis.rules.spec.RuleSpec;
import io.portcullis.rules.spec.RuleSpec.InvalidRuleException.Problem;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What a rule sets besides its match, for its action to read; collects what is wrong with it. */
public final class ActionOptions {
  private final Map<String, @Nullable Object> values;
  private final boolean stackTraces;
  private final boolean observe;
  private final String election;
  private final Set<String> elections;
  private final List<Problem> problems;

  public ActionOptions(RuleSpec spec, boolean stackTraces, List<Problem> problems) {
    this.values = spec.options();
    this.stackTraces = stackTraces;
    this.observe = spec.observe();
    this.election = spec.election();
    this.elections = spec.elections();
    this.problems = problems;
  }

  boolean observe() {
    return observe;
  }

  /** The rule's. */
  String election() {
    return election;
  }

  /** All that there are. */
  Set<String> elections() {
    return elections;
  }

  boolean stackTraces() {
    return stackTraces;
  }

  @Nullable String string(String key) {
    Object value = values.get(key);
    if (value == null || value instanceof String) {
      return (String) value;
    }
    refuse(key, "'%s' is not a string".formatted(value), "Write it in quotes");
    return null;
  }

  /** Whether it is set, be it to null. */
  boolean isSet(String key) {
    return values.containsKey(key);
  }

  @Nullable Object value(String key) {
    return values.get(key);
  }

  boolean flag(String key) {
    Object value = values.get(key);
    if (value == null || value instanceof Boolean) {
      return Boolean.TRUE.equals(value);
    }
    refuse(key, "'%s' is neither true nor false".formatted(value), "Write true or false");
    return false;
  }

  @Nullable Duration duration(String key) {
    Object value = values.get(key);
    if (value == null || value instanceof Duration) {
      return (Duration) value;
    }
    refuse(key, "'%s' is not a length of time".formatted(value), "Write a number with its unit");
    return null;
  }

  void refuse(String key, String problem, String remedy) {
    problems.add(new Problem(key, problem, remedy));
  }

  /** Refuses every option that is set and that the action does not know. */
  void allowOnly(String action, Set<String> known) {
    for (String key : new TreeSet<>(values.keySet())) {
      boolean saysNothing = Boolean.FALSE.equals(values.get(key));
      if (!known.contains(key) && !saysNothing) {
        refuse(
            key,
            "action '%s' does not know it".formatted(action),
            "Its options are " + String.join(", ", new TreeSet<>(known)));
      }
    }
  }
}

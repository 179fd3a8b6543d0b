package io.portcullis.rules.action;

import io.portcullis.rules.spec.RuleSpec;
import io.portcullis.rules.spec.RuleSpec.InvalidRuleException.Problem;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Options of a rule besides its match, which its action reads; collects the problems found. */
public final class ActionOptions {
  private final String match;
  private final Map<String, @Nullable Object> values;
  private final boolean stackTraces;
  private final boolean observe;
  private final String election;
  private final Set<String> elections;
  private final List<Problem> problems;

  public ActionOptions(RuleSpec spec, boolean stackTraces, List<Problem> problems) {
    this.match = spec.match();
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

  /** The rule's pattern, as configured. */
  String match() {
    return match;
  }

  String election() {
    return election;
  }

  /** All configured elections. */
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

  /** Whether the option is set, including to null. */
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
    refuse(key, "'%s' is not a duration".formatted(value), "Write a number with its unit");
    return null;
  }

  void refuse(String key, String problem, String remedy) {
    problems.add(new Problem(key, problem, remedy));
  }

  /** Refuses every option that is set and that the action does not support. */
  void allowOnly(String action, Set<String> known) {
    for (String key : new TreeSet<>(values.keySet())) {
      boolean hasNoEffect = Boolean.FALSE.equals(values.get(key));
      if (!known.contains(key) && !hasNoEffect && !key.equals(RuleSpec.ONE_OF)) {
        refuse(
            key,
            "action '%s' does not support it".formatted(action),
            "Its options are " + String.join(", ", new TreeSet<>(known)));
      }
    }
  }
}

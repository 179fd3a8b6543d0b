package io.portcullis.rules;

import io.portcullis.rules.InvalidRule.Problem;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What a rule sets besides its match, for its action to read; collects what is wrong with it. */
final class ActionOptions {
  private final Map<String, Object> values;
  private final boolean stackTraces;
  private final List<Problem> problems;

  ActionOptions(Map<String, Object> values, boolean stackTraces, List<Problem> problems) {
    this.values = values;
    this.stackTraces = stackTraces;
    this.problems = problems;
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

  void refuse(String key, String problem, String remedy) {
    problems.add(new Problem(key, problem, remedy));
  }

  /** Refuses every option that is set and that neither the action nor a later version knows. */
  void allowOnly(String action, Set<String> known, Set<String> notYet) {
    for (String key : new TreeSet<>(values.keySet())) {
      if (notYet.contains(key)) {
        refuse(key, "not yet: this version does not have it", "Leave it out");
      } else if (!known.contains(key)) {
        refuse(
            key,
            "action '%s' does not know it".formatted(action),
            known.isEmpty()
                ? "It has no options"
                : "Its options are " + String.join(", ", new TreeSet<>(known)));
      }
    }
  }
}

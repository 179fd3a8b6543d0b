package io.portcullis.rules.spec;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
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
}

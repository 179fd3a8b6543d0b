package io.portcullis.rules;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A rule as it is configured, not yet checked.
 *
 * @param action the action's name, {@link Actions#DEFAULT} if the configuration names none
 * @param options what else the rule sets, by key; the action says which keys it knows; only {@code
 *     value} may be null
 * @param observe whether refused calls are only counted
 */
public record RuleSpec(
    String id,
    String match,
    String election,
    String action,
    Map<String, @Nullable Object> options,
    boolean observe) {
  public RuleSpec {
    options = Collections.unmodifiableMap(new HashMap<>(options));
  }
}

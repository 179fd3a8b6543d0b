package io.portcullis.agent.config;

import io.portcullis.agent.config.hocon.ConfigProblems;
import io.portcullis.agent.config.hocon.ConfigProblems.ProblemLocation;
import io.portcullis.agent.config.hocon.ValueOrigin;
import io.portcullis.agent.extension.Extensions;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One rule as configured. {@link RuleCheck} validates its match, action and options.
 *
 * @param match the pattern
 * @param action what a gated method does when this node may not act
 * @param election the election whose leader may act; empty if it could not be determined
 * @param observe whether the rule only counts and logs calls, due to its own or the agent's mode
 * @param options the other keys that were set: {@code exception} and {@code one-of} strings; {@code
 *     value} null, a boolean, a number or a string; {@code empty}, {@code recheck}, {@code
 *     interrupt} and {@code redirect} booleans; {@code timeout} and {@code retry-after} a {@link
 *     java.time.Duration}
 * @param locations where each key was set; the empty key is the rule itself
 */
public record RuleSection(
    String id,
    String match,
    String action,
    String election,
    boolean observe,
    Map<String, @Nullable Object> options,
    Map<String, ProblemLocation> locations) {

  public RuleSection {
    // Not Map.copyOf: the value of an option may be null.
    options = Collections.unmodifiableMap(new LinkedHashMap<>(options));
    locations = Collections.unmodifiableMap(new HashMap<>(locations));
  }

  /** Where a key was set, or the location of the rule if it was not set. */
  public ProblemLocation spot(String key) {
    ProblemLocation location = locations.getOrDefault(key, locations.get(""));
    if (location == null) {
      throw new IllegalStateException("rule " + id + " has no location");
    }
    return location;
  }

  /** The origin of the value at {@link #spot}. */
  public ValueOrigin place(String key) {
    return spot(key).place();
  }

  /** Validates the match, action and options of rules, which the configuration only reads. */
  @FunctionalInterface
  public interface RuleCheck {
    /** Accepts every rule. */
    RuleCheck NONE = (rule, extensions, problems) -> {};

    /**
     * Validates one rule. Reports problems with {@code problems.refuse(rule.spot("match"), "…")}.
     *
     * @param rule a rule with an id and a match
     * @param extensions the extensions that may contain the rule's action
     */
    void check(RuleSection rule, Extensions extensions, ConfigProblems problems);
  }
}

package io.portcullis.agent.config;

import io.portcullis.agent.config.ConfigProblems.ProblemLocation;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One rule as it was written; what its match, action and options mean is for others to judge.
 *
 * @param id the rule's id
 * @param match the pattern
 * @param action what to do when this node may not act
 * @param election the election whose leader may act; empty if it could not be told
 * @param observe whether it only counts and logs, be it by its own mode or the agent's
 * @param options the other keys that were set: {@code exception} a text, {@code value} null, a
 *     truth value, a number or a text, {@code empty}, {@code recheck}, {@code interrupt} and {@code
 *     redirect} truth values, {@code timeout} and {@code retry-after} a {@link java.time.Duration}
 * @param spots where each key was set; the empty key is the rule itself
 */
public record RuleSection(
    String id,
    String match,
    String action,
    String election,
    boolean observe,
    Map<String, @Nullable Object> options,
    Map<String, ProblemLocation> spots) {

  /** Copies the maps; an option may be null. */
  public RuleSection {
    options = Collections.unmodifiableMap(new LinkedHashMap<>(options));
    spots = Collections.unmodifiableMap(new HashMap<>(spots));
  }

  /** Where a key was set, or the rule's own spot. */
  public ProblemLocation spot(String key) {
    ProblemLocation spot = spots.getOrDefault(key, spots.get(""));
    if (spot == null) {
      throw new IllegalStateException("rule " + id + " has no place of its own");
    }
    return spot;
  }

  /** The place of {@link #spot}. */
  public ValueOrigin place(String key) {
    return spot(key).place();
  }
}

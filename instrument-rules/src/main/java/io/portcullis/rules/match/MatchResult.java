package io.portcullis.rules.match;

import java.util.List;
import java.util.Set;

/**
 * What a pattern means of one class.
 *
 * @param meansClass whether it means the class at all; if not, there is nothing else to say
 * @param methods the methods meant of those that the class declares, those without a body included
 * @param hint where nothing can be gated, or not all: what there is instead and what would help;
 *     empty if nothing is amiss
 * @param awaitsBodies whether nothing of the class can be gated, but a parent or a subtype that the
 *     pattern means too can have a body for what it means
 * @param trap what is reached through this class and yet not gated by the rule, for people; empty
 *     if there is nothing
 * @param unknown supertypes of which nothing is known, so that the answer may be wrong
 */
public record MatchResult(
    boolean meansClass,
    List<MethodShape> methods,
    String hint,
    boolean awaitsBodies,
    String trap,
    Set<String> unknown) {
  public MatchResult {
    methods = List.copyOf(methods);
    unknown = Set.copyOf(unknown);
  }

  static MatchResult nothing(Set<String> unknown) {
    return new MatchResult(false, List.of(), "", false, "", unknown);
  }

  /** The methods that can be gated. */
  public List<MethodShape> withBody() {
    return methods.stream().filter(MethodShape::hasBody).toList();
  }
}

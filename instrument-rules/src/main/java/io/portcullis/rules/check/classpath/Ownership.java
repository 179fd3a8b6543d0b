package io.portcullis.rules.check.classpath;

import io.portcullis.rules.match.MatchPattern;
import io.portcullis.rules.match.MatchPattern.InvalidPatternException;
import io.portcullis.rules.match.TypePattern;
import java.util.List;

/** Tells the application's own classes from those of its libraries. */
public final class Ownership {
  private final List<TypePattern> named;

  private Ownership(List<TypePattern> named) {
    this.named = named;
  }

  /**
   * By names as they stand in a rule before the {@code #}, such as {@code com.acme.**}. Without any
   * it is the place that tells.
   *
   * @throws InvalidPatternException if one of them is none
   */
  public static Ownership of(List<String> patterns) {
    return new Ownership(
        patterns.stream().map(name -> MatchPattern.parse(name + "#*(..)").type()).toList());
  }

  boolean owns(String className, boolean inApplicationsPlace) {
    return named.isEmpty()
        ? inApplicationsPlace
        : named.stream().anyMatch(type -> type.matches(className));
  }
}

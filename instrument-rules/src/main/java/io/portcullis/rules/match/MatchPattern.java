package io.portcullis.rules.match;

import io.portcullis.rules.match.TypeHierarchy.TypeLookup;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Pattern for the methods that a rule matches: {@code [@Annotation] Type[+]#method(parameters)}.
 *
 * <ul>
 *   <li>{@code Type} is a binary name, nested types with {@code $}. {@code *} matches any
 *       characters within one segment (including {@code $}), {@code **} any characters across
 *       segments, and {@code **.} at the start of a segment any number of packages, including none.
 *   <li>{@code Type+} matches Type and all its subtypes, and of those only the methods that Type
 *       declares or inherits, by name and erased parameters.
 *   <li>{@code @Annotation} matches annotated methods and all methods of annotated types, directly
 *       or through meta-annotations. An annotation of a superclass counts for a class only if it is
 *       {@code @Inherited}, and never for a method.
 *   <li>{@code method} is a name that may contain {@code *}. With a wildcard it never matches
 *       constructors, static initialisers, synthetic or {@code lambda$} methods, nor methods of
 *       {@code java.lang.Object}; but it does match bridges, through which inherited methods may be
 *       called. A name without wildcard matches exactly; {@code new} matches constructors.
 *   <li>The parameters are {@code (..)}, or a list of erased binary names, {@code *} for any one
 *       type; {@code ..} may end the list. Varargs are arrays, and may be written either way.
 * </ul>
 */
public final class MatchPattern {
  private final String text;
  private final @Nullable String annotation;
  private final TypePattern type;
  private final boolean subtypes;
  private final MethodPattern method;

  MatchPattern(
      String text,
      @Nullable String annotation,
      TypePattern type,
      boolean subtypes,
      MethodPattern method) {
    this.text = text;
    this.annotation = annotation;
    this.type = type;
    this.subtypes = subtypes;
    this.method = method;
  }

  /**
   * Parses a pattern.
   *
   * @throws InvalidPatternException if the pattern is invalid
   */
  public static MatchPattern parse(String text) {
    return new PatternReader(text).read();
  }

  /** The pattern of the type names. */
  public TypePattern type() {
    return type;
  }

  /** Whether subtypes of the named types match too. */
  public boolean subtypes() {
    return subtypes;
  }

  /** The binary name of the required annotation, null if there is none. */
  public @Nullable String annotation() {
    return annotation;
  }

  /** Whether the name of a class suffices to decide that it matches. */
  public boolean goesByName() {
    return !subtypes && annotation == null;
  }

  /** Whether the pattern matches only constructors. */
  public boolean meansConstructors() {
    return method.meansConstructors();
  }

  /** Whether type and method are named without a wildcard. */
  public boolean namesItsMethod() {
    return type instanceof TypePattern.Exact && annotation == null && !method.hasWildcard();
  }

  /**
   * Returns what the pattern matches in a class, with hints on what it misses. The weaver gates
   * exactly these methods, so the result is exact if {@code types} finds the same types as the
   * class at run time.
   */
  public MatchResult meaning(ClassShape shape, TypeLookup types) {
    return new PatternEvaluator(this, shape, types).meaning();
  }

  MethodPattern method() {
    return method;
  }

  /** The pattern as written. */
  @Override
  public String toString() {
    return text;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof MatchPattern that && text.equals(that.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  /** Thrown for an invalid match pattern. The message has the position, the problem and a fix. */
  public static final class InvalidPatternException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final int position;

    InvalidPatternException(String text, int position, String problem, String remedy) {
      super("match \"%s\", character %d: %s. %s.".formatted(text, position + 1, problem, remedy));
      this.position = position;
    }

    /** Position of the problem in the pattern, counted from 0. */
    public int position() {
      return position;
    }
  }

  /**
   * Result of matching a pattern against one class.
   *
   * @param meansClass whether it matches the class at all; if not, the rest is empty
   * @param methods the matching methods that the class declares, including those without a body
   * @param hint if not all methods can be gated: the methods that exist instead and a fix; empty if
   *     there is no problem
   * @param awaitsBodies whether nothing of the class can be gated, but a supertype or subtype that
   *     the pattern matches too can have a body for a matching method
   * @param trap describes methods that are reachable through this class but not gated by the rule;
   *     empty if there are none
   * @param unknown supertypes that are unknown, so that the result may be wrong
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
}

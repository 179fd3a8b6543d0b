package io.portcullis.rules.match;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Pattern for the methods that a rule matches: {@code [@Annotation] Type[+]#method(parameters)}.
 *
 * <ul>
 *   <li>{@code Type} is a binary name, nested types with {@code $}. {@code *} stands for anything
 *       within one segment (a {@code $} included), {@code **} for anything across segments, and
 *       {@code **.} at the beginning of a segment for any number of packages, none included.
 *   <li>{@code Type+} means Type and all its subtypes, and of those only the methods that Type
 *       declares or inherits, by name and erased parameters.
 *   <li>{@code @Annotation} means methods that carry it and all methods of types that carry it,
 *       directly or through annotations that carry it in turn. What a parent carries counts for a
 *       class only where the annotation is {@code @Inherited}, and never for a method.
 *   <li>{@code method} is a name that may contain {@code *}. With a wildcard it never means
 *       constructors, static initialisers, synthetic or {@code lambda$} methods, nor those of
 *       {@code java.lang.Object}; but it does mean bridges, by which inherited methods may be
 *       called. A name without one means what it says; {@code new} means constructors.
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
   * Reads a pattern.
   *
   * @throws InvalidPatternException if it can't be one
   */
  public static MatchPattern parse(String text) {
    return new PatternReader(text).read();
  }

  /** The types named. */
  public TypePattern type() {
    return type;
  }

  /** Whether subtypes of the types named are meant too. */
  public boolean subtypes() {
    return subtypes;
  }

  /** The binary name of the annotation asked for, if one is. */
  public @Nullable String annotation() {
    return annotation;
  }

  /** Whether a class's name alone tells that it is meant. */
  public boolean goesByName() {
    return !subtypes && annotation == null;
  }

  /** Whether the pattern means constructors, and nothing else. */
  public boolean meansConstructors() {
    return method.meansConstructors();
  }

  /** Whether type and method are named without a wildcard, so that it can mean nothing else. */
  public boolean namesItsMethod() {
    return type instanceof TypePattern.Exact && annotation == null && !method.hasWildcard();
  }

  /**
   * What the pattern matches in a class, with hints on what it misses. The weaver gates exactly
   * this, so the result is exact if {@code types} are those that the class finds at run time.
   */
  public MatchResult meaning(ClassShape shape, TypeLookup types) {
    return new PatternEvaluator(this, shape, types).meaning();
  }

  MethodPattern method() {
    return method;
  }

  /** The pattern as it was written. */
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

  /**
   * The text is no match pattern. The message says where, what is wrong and what would be right.
   */
  public static final class InvalidPatternException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    private final int position;

    InvalidPatternException(String text, int position, String problem, String remedy) {
      super("match \"%s\", character %d: %s. %s.".formatted(text, position + 1, problem, remedy));
      this.position = position;
    }

    /** Where in the text the problem begins, counted from 0. */
    public int position() {
      return position;
    }
  }

  /**
   * Result of matching a pattern against one class.
   *
   * @param meansClass whether it matches the class at all; if not, the rest is empty
   * @param methods the matching methods that the class declares, including those without a body
   * @param hint where nothing can be gated, or not all: what there is instead and what would help;
   *     empty if there is no problem
   * @param awaitsBodies whether nothing of the class can be gated, but a parent or a subtype that
   *     the pattern means too can have a body for what it means
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
}

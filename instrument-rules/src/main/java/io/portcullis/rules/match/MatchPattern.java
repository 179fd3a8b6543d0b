package io.portcullis.rules.match;

import java.util.List;

/**
 * Which methods a rule means: {@code Type#method(parameters)}.
 *
 * <ul>
 *   <li>{@code Type} is a binary name, nested types with {@code $}. {@code *} stands for anything
 *       within one segment (a {@code $} included), {@code **} for anything across segments, and
 *       {@code **.} at the beginning of a segment for any number of packages, none included.
 *   <li>{@code method} is a name that may contain {@code *}. With a wildcard it never means
 *       constructors, static initialisers, synthetic or {@code lambda$} methods, nor those of
 *       {@code java.lang.Object}; but it does mean bridges, by which inherited methods may be
 *       called. A name without one means what it says.
 *   <li>The parameters are {@code (..)}, or a list of erased binary names, {@code *} for any one
 *       type; {@code ..} may end the list. Varargs are arrays, and may be written either way.
 * </ul>
 */
public final class MatchPattern {
  private final String text;
  private final TypePattern type;
  private final MethodPattern method;

  MatchPattern(String text, TypePattern type, MethodPattern method) {
    this.text = text;
    this.type = type;
    this.method = method;
  }

  /**
   * Reads a pattern.
   *
   * @throws InvalidPattern if it can't be one, or is of a kind that can't be woven yet
   */
  public static MatchPattern parse(String text) {
    return new PatternReader(text).read();
  }

  /** The classes meant. */
  public TypePattern type() {
    return type;
  }

  /** Whether type and method are named without a wildcard, so that it can mean nothing else. */
  public boolean namesItsMethod() {
    return type instanceof TypePattern.Exact && !method.hasWildcard();
  }

  /** The methods meant of those that a class declares, those without a body included. */
  public List<MethodShape> select(ClassShape shape) {
    return method.select(shape.methods());
  }

  /** Why a class has nothing to gate, in words that help to mend the pattern. */
  public String nearMisses(ClassShape shape) {
    return new NearMisses(method, shape).text();
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
}

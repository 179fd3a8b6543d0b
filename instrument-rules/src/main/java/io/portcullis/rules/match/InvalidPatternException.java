package io.portcullis.rules.match;

/** The text is no match pattern. The message says where, what is wrong and what would be right. */
public final class InvalidPatternException extends IllegalArgumentException {
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

package io.portcullis.fencing.sql;

import org.jspecify.annotations.Nullable;

/** Tells what a text may do. */
public final class Judge {
  private Judge() {}

  /**
   * What the statements of the text may do together.
   *
   * <p>A text whose meaning depends on whether a backslash escapes a quote is read both ways, and
   * the graver verdict stands. A reading by which the text stops inside a literal does not count:
   * the server reads a text to its end before it does anything.
   */
  public static Verdict of(byte[] text, int from, int to) {
    Lexer lexer = new Lexer(text, from, to, false);
    Verdict verdict = read(text, lexer);
    if (lexer.sawBackslash()) {
      Verdict other = read(text, new Lexer(text, from, to, true));
      verdict = verdict == null ? other : other == null ? verdict : Course.graver(verdict, other);
    }
    return verdict == null ? Verdict.WRITE : verdict;
  }

  /** Null if it stops inside a literal or a comment. */
  private static @Nullable Verdict read(byte[] text, Lexer lexer) {
    Course course = new Course();
    Statement statement = new Statement(text);
    for (Token token = lexer.next(); ; token = lexer.next()) {
      switch (token) {
        case BROKEN -> {
          return null;
        }
        case SEMICOLON -> {
          course.add(statement.verdict());
          statement = new Statement(text);
        }
        case END -> {
          course.add(statement.verdict());
          return course.verdict();
        }
        default -> statement.add(token, lexer);
      }
    }
  }
}

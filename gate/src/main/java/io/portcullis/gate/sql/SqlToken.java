package io.portcullis.gate.sql;

/** The kinds of what a text consists of, as far as a verdict depends on them. */
enum SqlToken {
  WORD,
  QUOTED_NAME,
  /** A quoted name with escapes for characters, which are not read here. */
  ESCAPED_NAME,
  SEMICOLON,
  OPEN,
  CLOSE,
  DOT,
  CAST,
  /** A literal, a number, a parameter, an operator. */
  OTHER,
  /** A number that a word follows without a space: some servers end the number there. */
  JOINED_NUMBER,
  END,
  /**
   * The text stops inside a literal, a name or a comment, so that Postgres refuses all of it; or
   * the dialect is unknown, and dialects differ in where this token ends.
   */
  BROKEN
}

package io.portcullis.gate.sql;

/** The kinds of tokens, as far as the classification depends on them. */
enum SqlToken {
  WORD,
  QUOTED_NAME,
  /** A quoted name with Unicode escapes, which are not decoded here. */
  ESCAPED_NAME,
  SEMICOLON,
  OPEN,
  CLOSE,
  DOT,
  CAST,
  /** A literal, a number, a parameter or an operator. */
  OTHER,
  /** A number that is followed by a word without a space: some servers end the number there. */
  JOINED_NUMBER,
  END,
  /**
   * The SQL ends inside a literal, a name or a comment, so that Postgres refuses all of it; or the
   * dialect is unknown, and dialects differ in where this token ends.
   */
  BROKEN
}

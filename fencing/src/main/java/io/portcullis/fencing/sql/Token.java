package io.portcullis.fencing.sql;

/** The kinds of what a text consists of, as far as a verdict depends on them. */
enum Token {
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
  END,
  /** The text stops inside a literal, a name or a comment: the server refuses all of it. */
  BROKEN
}

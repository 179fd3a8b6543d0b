package io.portcullis.gate.sql;

/** Character classes of words, numbers and white space, and searches that depend on them only. */
final class SqlCharacters {
  /** A longer variable counts as hiding a quote. */
  private static final int MAX_VARIABLE = 256;

  private SqlCharacters() {}

  /** White space in Postgres. */
  static boolean isSpace(byte b) {
    return b == ' ' || (b >= '\t' && b <= '\r');
  }

  /** White space in every dialect. */
  static boolean isPlainSpace(byte b) {
    return b == ' ' || b == '\t' || b == '\n' || b == '\r';
  }

  static boolean isWordStart(byte b) {
    return (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || b == '_' || b < 0;
  }

  static boolean isWordPart(byte b) {
    return isWordStart(b) || isDigit(b) || b == '$';
  }

  static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }

  private static boolean isHexDigit(byte b) {
    return isDigit(b) || b == '_' || (b >= 'a' && b <= 'f') || (b >= 'A' && b <= 'F');
  }

  private static boolean isRadix(byte b) {
    return b == 'x' || b == 'X' || b == 'o' || b == 'O' || b == 'b' || b == 'B';
  }

  /**
   * Returns the end of the number that begins here, including its exponent or the digits of its
   * radix.
   */
  static int numberEnd(byte[] sql, int from, int limit) {
    int at = digitsEnd(sql, from, limit);
    if (at + 1 >= limit) {
      return at;
    }
    if (sql[from] == '0' && isRadix(sql[at]) && isHexDigit(sql[at + 1])) {
      at++;
      while (at < limit && isHexDigit(sql[at])) {
        at++;
      }
    } else if (sql[at] == 'e' || sql[at] == 'E') {
      int digits = at + (sql[at + 1] == '+' || sql[at + 1] == '-' ? 2 : 1);
      if (digits < limit && isDigit(sql[digits])) {
        return digitsEnd(sql, digits, limit);
      }
    }
    return at;
  }

  private static int digitsEnd(byte[] sql, int from, int limit) {
    int at = from;
    while (at < limit && (isDigit(sql[at]) || sql[at] == '.' || sql[at] == '_')) {
      at++;
    }
    return at;
  }

  /** Returns the end of the line that contains this position. */
  static int lineEnd(byte[] sql, int from, int limit) {
    int at = from;
    while (at < limit && sql[at] != '\n' && sql[at] != '\r') {
      at++;
    }
    return at;
  }

  /** Whether the bytes at two positions are equal. */
  static boolean isSame(byte[] sql, int one, int other, int length) {
    for (int i = 0; i < length; i++) {
      if (sql[one + i] != sql[other + i]) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether a variable of SQLite begins here whose parenthesis holds more than plain characters.
   * SQLite takes {@code :x(')}, {@code @x(')} and {@code $x(')} for one name, up to the first
   * parenthesis that closes; to others the quote begins a literal.
   */
  static boolean hidesQuote(byte[] sql, int from, int limit) {
    if (sql[from] != ':' && sql[from] != '@' && sql[from] != '$') {
      return false;
    }
    int look = from + 1;
    boolean isNamed = false;
    while (look < limit && (isWordPart(sql[look]) || isDoubleColon(sql, look, limit))) {
      isNamed |= sql[look] != ':';
      look += sql[look] == ':' ? 2 : 1;
      if (look - from > MAX_VARIABLE) {
        return true;
      }
    }
    if (!isNamed || look >= limit || sql[look] != '(') {
      return false;
    }
    look++;
    while (look < limit && (isWordPart(sql[look]) || sql[look] == ',')) {
      look++;
    }
    return look >= limit || (sql[look] != ')' && !isPlainSpace(sql[look]));
  }

  private static boolean isDoubleColon(byte[] sql, int index, int limit) {
    return index + 1 < limit && sql[index] == ':' && sql[index + 1] == ':';
  }
}

package io.portcullis.gate.sql;

/** Character classes of words, numbers and white space. */
final class SqlCharacters {
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
}

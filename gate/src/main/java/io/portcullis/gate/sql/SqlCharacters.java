package io.portcullis.gate.sql;

/** The characters that words, numbers and white space consist of. */
final class SqlCharacters {
  private SqlCharacters() {}

  /** White space of Postgres. */
  static boolean isSpace(byte b) {
    return b == ' ' || (b >= '\t' && b <= '\r');
  }

  /** White space of every dialect. */
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

  /** Where the number ends that begins here: behind its exponent or the digits of its radix. */
  static int numberEnd(byte[] text, int from, int limit) {
    int at = digitsEnd(text, from, limit);
    if (at + 1 >= limit) {
      return at;
    }
    if (text[from] == '0' && isRadix(text[at]) && isHexDigit(text[at + 1])) {
      at++;
      while (at < limit && isHexDigit(text[at])) {
        at++;
      }
    } else if (text[at] == 'e' || text[at] == 'E') {
      int digits = at + (text[at + 1] == '+' || text[at + 1] == '-' ? 2 : 1);
      if (digits < limit && isDigit(text[digits])) {
        return digitsEnd(text, digits, limit);
      }
    }
    return at;
  }

  private static int digitsEnd(byte[] text, int from, int limit) {
    int at = from;
    while (at < limit && (isDigit(text[at]) || text[at] == '.' || text[at] == '_')) {
      at++;
    }
    return at;
  }
}

package io.portcullis.fencing.sql;

/**
 * Cuts a text into tokens where the server does.
 *
 * <p>Whether a backslash escapes a quote in a plain literal is a setting of the session's, so
 * whoever asks says how to read it, and is told afterwards if it mattered at all.
 */
final class Lexer {
  private final byte[] text;
  private final int limit;
  private final boolean backslashEscapes;

  private int at;
  private int tokenFrom;
  private int tokenTo;
  private boolean sawBackslash;

  Lexer(byte[] text, int from, int limit, boolean backslashEscapes) {
    this.text = text;
    this.at = from;
    this.limit = limit;
    this.backslashEscapes = backslashEscapes;
  }

  /** Where the last word or name begins, without its quotes. */
  int tokenFrom() {
    return tokenFrom;
  }

  /** Where the last word or name ends, without its quotes. */
  int tokenTo() {
    return tokenTo;
  }

  /** Whether a plain literal so far held a backslash. */
  boolean sawBackslash() {
    return sawBackslash;
  }

  Token next() {
    if (!skipSpace()) {
      return Token.BROKEN;
    }
    if (at >= limit) {
      return Token.END;
    }
    byte first = text[at];
    if (isWordStart(first)) {
      return word();
    }
    if (first >= '0' && first <= '9') {
      return number();
    }
    return switch (first) {
      case '\'' -> literal(backslashEscapes, true);
      case '"' -> name(Token.QUOTED_NAME);
      case '$' -> dollar();
      case ';' -> single(Token.SEMICOLON);
      case '(' -> single(Token.OPEN);
      case ')' -> single(Token.CLOSE);
      case '.' -> single(Token.DOT);
      case ':' -> colon();
      default -> single(Token.OTHER);
    };
  }

  private Token single(Token kind) {
    at++;
    return kind;
  }

  private Token colon() {
    boolean isCast = at + 1 < limit && text[at + 1] == ':';
    at += isCast ? 2 : 1;
    return isCast ? Token.CAST : Token.OTHER;
  }

  /** What follows the digits, an exponent say, is cut off as a word of its own, like the server. */
  private Token number() {
    while (at < limit && (text[at] == '.' || (text[at] >= '0' && text[at] <= '9'))) {
      at++;
    }
    return Token.OTHER;
  }

  private Token word() {
    int from = at;
    at++;
    while (at < limit && isWordPart(text[at])) {
      at++;
    }
    tokenFrom = from;
    tokenTo = at;
    if (at - from == 1 && at < limit) {
      byte prefix = text[from];
      if ((prefix == 'e' || prefix == 'E') && text[at] == '\'') {
        return literal(true, false);
      }
      if ((prefix == 'u' || prefix == 'U') && text[at] == '&' && at + 1 < limit) {
        return unicode();
      }
    }
    return Token.WORD;
  }

  private Token unicode() {
    if (text[at + 1] == '\'') {
      at++;
      return literal(false, false);
    }
    if (text[at + 1] == '"') {
      at++;
      return name(Token.ESCAPED_NAME);
    }
    return Token.WORD;
  }

  /** A doubled quote ends one literal and begins the next, which comes to the same here. */
  private Token literal(boolean escapes, boolean plain) {
    at++;
    while (at < limit) {
      byte b = text[at++];
      if (b == '\\') {
        sawBackslash |= plain;
        at += escapes ? 1 : 0;
      } else if (b == '\'') {
        if (escapes && at < limit && text[at] == '\'') {
          at++;
        } else if (!escapes || !continues()) {
          return Token.OTHER;
        }
      }
    }
    return Token.BROKEN;
  }

  /** A literal goes on in the next line, and by the same rules, if that begins with a quote. */
  private boolean continues() {
    int look = at;
    boolean newLine = false;
    while (look < limit) {
      byte b = text[look];
      if (b == '-' && look + 1 < limit && text[look + 1] == '-') {
        look = endOfLine(look);
      } else if (isSpace(b)) {
        newLine |= b == '\n' || b == '\r';
        look++;
      } else {
        break;
      }
    }
    if (newLine && look < limit && text[look] == '\'') {
      at = look + 1;
      return true;
    }
    return false;
  }

  private Token name(Token kind) {
    at++;
    tokenFrom = at;
    while (at < limit) {
      if (text[at] == '"') {
        if (at + 1 < limit && text[at + 1] == '"') {
          at++;
        } else {
          tokenTo = at++;
          return kind;
        }
      }
      at++;
    }
    return Token.BROKEN;
  }

  /** A parameter, or a literal between two equal tags. */
  private Token dollar() {
    int from = at;
    at++;
    if (at < limit && text[at] >= '0' && text[at] <= '9') {
      while (at < limit && text[at] >= '0' && text[at] <= '9') {
        at++;
      }
      return Token.OTHER;
    }
    int look = at;
    while (look < limit && text[look] != '$' && isWordPart(text[look])) {
      look++;
    }
    if (look >= limit || text[look] != '$') {
      return Token.OTHER;
    }
    int tagLength = look + 1 - from;
    for (int end = look + 1; end + tagLength <= limit; end++) {
      if (isSame(from, end, tagLength)) {
        at = end + tagLength;
        return Token.OTHER;
      }
    }
    return Token.BROKEN;
  }

  private boolean isSame(int one, int other, int length) {
    for (int i = 0; i < length; i++) {
      if (text[one + i] != text[other + i]) {
        return false;
      }
    }
    return true;
  }

  /** Past space and comments; false if a comment does not end. */
  private boolean skipSpace() {
    while (at < limit) {
      byte b = text[at];
      if (isSpace(b)) {
        at++;
      } else if (b == '-' && at + 1 < limit && text[at + 1] == '-') {
        at = endOfLine(at);
      } else if (b == '/' && at + 1 < limit && text[at + 1] == '*') {
        if (!skipComment()) {
          return false;
        }
      } else {
        return true;
      }
    }
    return true;
  }

  private boolean skipComment() {
    int depth = 0;
    while (at + 1 < limit) {
      if (text[at] == '/' && text[at + 1] == '*') {
        depth++;
        at += 2;
      } else if (text[at] == '*' && text[at + 1] == '/') {
        depth--;
        at += 2;
        if (depth == 0) {
          return true;
        }
      } else {
        at++;
      }
    }
    return false;
  }

  private int endOfLine(int from) {
    int look = from;
    while (look < limit && text[look] != '\n' && text[look] != '\r') {
      look++;
    }
    return look;
  }

  private static boolean isSpace(byte b) {
    return b == ' ' || (b >= '\t' && b <= '\r');
  }

  private static boolean isWordStart(byte b) {
    return (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || b == '_' || b < 0;
  }

  private static boolean isWordPart(byte b) {
    return isWordStart(b) || (b >= '0' && b <= '9') || b == '$';
  }
}

package io.portcullis.gate.sql;

import static io.portcullis.gate.sql.SqlCharacters.isDigit;
import static io.portcullis.gate.sql.SqlCharacters.isPlainSpace;
import static io.portcullis.gate.sql.SqlCharacters.isSpace;
import static io.portcullis.gate.sql.SqlCharacters.isWordPart;
import static io.portcullis.gate.sql.SqlCharacters.isWordStart;

/**
 * Splits a text into tokens where the server does.
 *
 * <p>For Postgres it knows where each token ends, except that a setting of the session decides
 * whether a backslash escapes a quote in a plain literal. The caller chooses one reading, and asks
 * afterwards whether the choice mattered. Where the dialect is unknown, a token is {@link
 * SqlToken#BROKEN} unless Postgres, MySQL, MariaDB, Oracle, SQL Server, H2 and SQLite agree on
 * where it ends.
 */
final class SqlTokenizer {
  /** How the server reads a text. */
  enum Dialect {
    POSTGRES,
    /** With {@code standard_conforming_strings = off}. */
    POSTGRES_WITH_ESCAPES,
    UNKNOWN
  }

  /** Where the dialect is unknown, stands for a character beyond ASCII that is no plain letter. */
  static final byte FOREIGN = -1;

  private static final int NONE = -1;
  private static final byte DELETE = 127;

  private final byte[] text;
  private final int limit;
  private final boolean backslashEscapes;
  private final boolean anyDialect;

  private int at;
  private int tokenFrom;
  private int tokenTo;
  private boolean sawBackslash;

  /** Where the bracket that was opened is closed, in dialects that quote names by brackets. */
  private int bracketEnd = NONE;

  private int backtickEnd = NONE;

  SqlTokenizer(byte[] text, int from, int limit, Dialect dialect) {
    this.text = text;
    this.at = from;
    this.limit = limit;
    this.backslashEscapes = dialect == Dialect.POSTGRES_WITH_ESCAPES;
    this.anyDialect = dialect == Dialect.UNKNOWN;
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

  SqlToken next() {
    SqlToken token = scan();
    return bracketEnd != NONE && at > bracketEnd ? SqlToken.BROKEN : token;
  }

  private SqlToken scan() {
    if (!skipSpace()) {
      return SqlToken.BROKEN;
    }
    if (at >= limit) {
      return SqlToken.END;
    }
    byte first = text[at];
    if (isWordStart(first)) {
      return word();
    }
    if (isDigit(first)) {
      return number();
    }
    return switch (first) {
      case '\'' -> literal(backslashEscapes, true);
      case '"' -> name(SqlToken.QUOTED_NAME);
      case '$' -> dollar();
      case ';' -> single(SqlToken.SEMICOLON);
      case '(' -> single(SqlToken.OPEN);
      case ')' -> single(SqlToken.CLOSE);
      case '.' -> single(SqlToken.DOT);
      case ':' -> colon();
      default -> anyDialect ? other(first) : single(SqlToken.OTHER);
    };
  }

  /** What some dialect takes for the beginning of a comment, a name or a literal. */
  private SqlToken other(byte first) {
    return switch (first) {
      case '`' -> backtick();
      case '[' -> openBracket();
      case ']' -> closeBracket();
      case '/' -> follows('/') ? SqlToken.BROKEN : single(SqlToken.OTHER);
      case '#', '\\' -> SqlToken.BROKEN;
      default -> first > ' ' && first < DELETE ? single(SqlToken.OTHER) : SqlToken.BROKEN;
    };
  }

  /**
   * A name in MySQL, an operator in Postgres: so only plain words may stand between backticks, and
   * these are read as such.
   */
  private SqlToken backtick() {
    if (at == backtickEnd) {
      backtickEnd = NONE;
      return single(SqlToken.OTHER);
    }
    int end = at + 1;
    while (end < limit && text[end] != '`') {
      byte b = text[end];
      boolean isPlain = isWordPart(b) || b == ' ' || b == '.' || (b == '-' && text[end - 1] != '-');
      if (!isPlain) {
        return SqlToken.BROKEN;
      }
      end++;
    }
    backtickEnd = end;
    return end < limit ? single(SqlToken.OTHER) : SqlToken.BROKEN;
  }

  /** A name in SQL Server, an index elsewhere; broken unless both end at the same place. */
  private SqlToken openBracket() {
    int end = at + 1;
    while (end < limit && text[end] != ']') {
      end++;
    }
    if (bracketEnd != NONE || end == limit) {
      return SqlToken.BROKEN;
    }
    bracketEnd = end;
    return single(SqlToken.OTHER);
  }

  private SqlToken closeBracket() {
    if (at != bracketEnd || follows(']')) {
      return SqlToken.BROKEN;
    }
    bracketEnd = NONE;
    return single(SqlToken.OTHER);
  }

  private boolean follows(char next) {
    return isAt(at + 1, next);
  }

  private boolean isAt(int index, char c) {
    return index < limit && text[index] == c;
  }

  private SqlToken single(SqlToken kind) {
    at++;
    return kind;
  }

  private SqlToken colon() {
    boolean isCast = follows(':');
    at += isCast ? 1 : 0;
    return single(isCast ? SqlToken.CAST : SqlToken.OTHER);
  }

  /** Up to Postgres 14, and in other dialects, a word may follow a number without a space. */
  private SqlToken number() {
    at = SqlCharacters.numberEnd(text, at, limit);
    return at < limit && isWordStart(text[at]) ? SqlToken.JOINED_NUMBER : SqlToken.OTHER;
  }

  private SqlToken word() {
    int from = at;
    boolean isForeign = false;
    while (at < limit && isWordPart(text[at])) {
      isForeign |= text[at] == FOREIGN;
      at++;
    }
    tokenFrom = from;
    tokenTo = at;
    if (anyDialect && (isForeign || isQuotePrefix(from))) {
      return SqlToken.BROKEN;
    }
    byte prefix = text[from];
    if (at - from == 1 && at < limit) {
      if ((prefix == 'e' || prefix == 'E') && text[at] == '\'') {
        return literal(!anyDialect, false);
      }
      if ((prefix == 'u' || prefix == 'U') && text[at] == '&' && at + 1 < limit) {
        return unicode();
      }
    }
    return SqlToken.WORD;
  }

  /** Oracle's {@code q'[…]'} and {@code nq'[…]'} end at a mark of their own. */
  private boolean isQuotePrefix(int from) {
    byte last = text[at - 1];
    return at < limit && text[at] == '\'' && at - from <= 2 && (last == 'q' || last == 'Q');
  }

  private SqlToken unicode() {
    if (text[at + 1] == '\'') {
      at++;
      return literal(false, false);
    }
    if (text[at + 1] == '"') {
      at++;
      return name(SqlToken.ESCAPED_NAME);
    }
    return SqlToken.WORD;
  }

  /** A doubled quote is read as the end of one literal and the start of the next. */
  private SqlToken literal(boolean escapes, boolean plain) {
    at++;
    while (at < limit) {
      byte b = text[at++];
      if (b == '\\') {
        if (anyDialect && at < limit && text[at] == '\'') {
          return SqlToken.BROKEN;
        }
        sawBackslash |= plain;
        at += escapes ? 1 : 0;
      } else if (b == '\'') {
        if (escapes && at < limit && text[at] == '\'') {
          at++;
        } else if (!escapes || !continues()) {
          return SqlToken.OTHER;
        }
      }
    }
    return SqlToken.BROKEN;
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

  private SqlToken name(SqlToken kind) {
    at++;
    tokenFrom = at;
    while (at < limit) {
      if (anyDialect && text[at] == '\\' && follows('"')) {
        return SqlToken.BROKEN;
      }
      if (text[at] == '"') {
        if (follows('"')) {
          at++;
        } else {
          tokenTo = at++;
          return kind;
        }
      }
      at++;
    }
    return SqlToken.BROKEN;
  }

  /** A parameter, or a literal between two equal tags. */
  private SqlToken dollar() {
    int from = at;
    at++;
    while (at < limit && isDigit(text[at])) {
      at++;
    }
    if (at > from + 1) {
      return SqlToken.OTHER;
    }
    if (anyDialect) {
      return SqlToken.BROKEN;
    }
    int look = at;
    while (look < limit && text[look] != '$' && isWordPart(text[look])) {
      look++;
    }
    if (look >= limit || text[look] != '$') {
      return SqlToken.OTHER;
    }
    int tagLength = look + 1 - from;
    for (int end = look + 1; end + tagLength <= limit; end++) {
      if (isSame(from, end, tagLength)) {
        at = end + tagLength;
        return SqlToken.OTHER;
      }
    }
    return SqlToken.BROKEN;
  }

  private boolean isSame(int one, int other, int length) {
    for (int i = 0; i < length; i++) {
      if (text[one + i] != text[other + i]) {
        return false;
      }
    }
    return true;
  }

  /** Past space and comments; false if a comment does not end, or not in all dialects. */
  private boolean skipSpace() {
    while (at < limit) {
      byte b = text[at];
      if (anyDialect ? isPlainSpace(b) : isSpace(b)) {
        at++;
      } else if (b == '-' && follows('-')) {
        if (anyDialect && !isLineCommentEverywhere()) {
          return false;
        }
        at = endOfLine(at);
      } else if (b == '/' && follows('*')) {
        if (!skipComment()) {
          return false;
        }
      } else {
        return true;
      }
    }
    return true;
  }

  /**
   * MySQL needs a space behind the dashes. A carriage return ends the comment in Postgres, and not
   * in others.
   */
  private boolean isLineCommentEverywhere() {
    int behind = at + 2;
    int end = behind;
    while (end < limit && text[end] != '\n') {
      byte b = text[end];
      if (b < ' ' && b >= 0 && b != '\t' && !(b == '\r' && isAt(end + 1, '\n'))) {
        return false;
      }
      end++;
    }
    return behind >= limit || isPlainSpace(text[behind]);
  }

  private boolean skipComment() {
    // MySQL, MariaDB and TiDB execute what such a comment holds.
    if (anyDialect && (isAt(at + 2, '!') || isAt(at + 3, '!'))) {
      return false;
    }
    int depth = 0;
    while (at + 1 < limit) {
      if (text[at] == '/' && text[at + 1] == '*') {
        if (anyDialect && depth > 0) {
          return false;
        }
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
}

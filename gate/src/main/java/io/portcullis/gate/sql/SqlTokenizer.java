package io.portcullis.gate.sql;

import static io.portcullis.gate.sql.SqlCharacters.hidesQuote;
import static io.portcullis.gate.sql.SqlCharacters.isDigit;
import static io.portcullis.gate.sql.SqlCharacters.isPlainSpace;
import static io.portcullis.gate.sql.SqlCharacters.isSame;
import static io.portcullis.gate.sql.SqlCharacters.isSpace;
import static io.portcullis.gate.sql.SqlCharacters.isWordPart;
import static io.portcullis.gate.sql.SqlCharacters.isWordStart;
import static io.portcullis.gate.sql.SqlCharacters.lineEnd;

/**
 * Splits SQL into tokens like the server does.
 *
 * <p>For Postgres it knows where each token ends, except that a setting of the session decides
 * whether a backslash escapes a quote in a plain literal. The caller chooses one reading, and
 * checks afterwards whether the choice mattered. If the dialect is unknown, a token is {@link
 * SqlToken#BROKEN} unless Postgres, MySQL, MariaDB, Oracle, SQL Server, H2 and SQLite agree on
 * where it ends.
 */
final class SqlTokenizer {
  /** The dialect in which the server reads SQL. */
  enum Dialect {
    POSTGRES,
    /** With {@code standard_conforming_strings = off}. */
    POSTGRES_WITH_ESCAPES,
    UNKNOWN
  }

  /** If the dialect is unknown, replaces a character beyond ASCII that is not a plain letter. */
  static final byte FOREIGN = -1;

  private static final int NONE = -1;
  private static final byte DELETE = 127;

  private final byte[] sql;
  private final int limit;
  private final boolean backslashEscapes;
  private final boolean anyDialect;

  private int at;
  private int tokenFrom;
  private int tokenTo;
  private boolean sawBackslash;

  /** Where the open bracket is closed, in dialects that quote names with brackets. */
  private int bracketEnd = NONE;

  private int backtickEnd = NONE;

  SqlTokenizer(byte[] sql, int from, int limit, Dialect dialect) {
    this.sql = sql;
    this.at = from;
    this.limit = limit;
    this.backslashEscapes = dialect == Dialect.POSTGRES_WITH_ESCAPES;
    this.anyDialect = dialect == Dialect.UNKNOWN;
  }

  /** Start of the last word or name, without its quotes. */
  int tokenFrom() {
    return tokenFrom;
  }

  /** End of the last word or name, without its quotes. */
  int tokenTo() {
    return tokenTo;
  }

  /** Whether any plain literal so far contained a backslash. */
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
    byte first = sql[at];
    if (isWordStart(first)) {
      return word();
    }
    if (isDigit(first)) {
      return number();
    }
    if (anyDialect && hidesQuote(sql, at, limit)) {
      return SqlToken.BROKEN;
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

  /** Reads a character that begins a comment, a name or a literal in some dialect. */
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
   * A quoted name in MySQL, an operator in Postgres: so only plain words may occur between
   * backticks, and they are read as words.
   */
  private SqlToken backtick() {
    if (at == backtickEnd) {
      backtickEnd = NONE;
      return single(SqlToken.OTHER);
    }
    int end = at + 1;
    while (end < limit && sql[end] != '`') {
      byte b = sql[end];
      boolean isPlain = isWordPart(b) || b == ' ' || b == '.' || (b == '-' && sql[end - 1] != '-');
      if (!isPlain) {
        return SqlToken.BROKEN;
      }
      end++;
    }
    backtickEnd = end;
    return end < limit ? single(SqlToken.OTHER) : SqlToken.BROKEN;
  }

  /** A quoted name in SQL Server, an index elsewhere; broken unless both end alike. */
  private SqlToken openBracket() {
    int end = at + 1;
    while (end < limit && sql[end] != ']') {
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
    return index < limit && sql[index] == c;
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
    at = SqlCharacters.numberEnd(sql, at, limit);
    return at < limit && isWordStart(sql[at]) ? SqlToken.JOINED_NUMBER : SqlToken.OTHER;
  }

  private SqlToken word() {
    int from = at;
    boolean isForeign = false;
    while (at < limit && isWordPart(sql[at])) {
      isForeign |= sql[at] == FOREIGN;
      at++;
    }
    tokenFrom = from;
    tokenTo = at;
    if (anyDialect && (isForeign || isQuotePrefix(from))) {
      return SqlToken.BROKEN;
    }
    byte prefix = sql[from];
    if (at - from == 1 && at < limit) {
      if ((prefix == 'e' || prefix == 'E') && sql[at] == '\'') {
        return literal(!anyDialect, false);
      }
      if ((prefix == 'u' || prefix == 'U') && sql[at] == '&' && at + 1 < limit) {
        return unicode();
      }
    }
    return SqlToken.WORD;
  }

  /** Oracle's {@code q'[…]'} and {@code nq'[…]'} end at a delimiter that the literal defines. */
  private boolean isQuotePrefix(int from) {
    byte last = sql[at - 1];
    return at < limit && sql[at] == '\'' && at - from <= 2 && (last == 'q' || last == 'Q');
  }

  private SqlToken unicode() {
    if (sql[at + 1] == '\'') {
      at++;
      return literal(false, false);
    }
    if (sql[at + 1] == '"') {
      at++;
      return name(SqlToken.ESCAPED_NAME);
    }
    return SqlToken.WORD;
  }

  /** A doubled quote is read as the end of one literal and the start of the next. */
  private SqlToken literal(boolean escapes, boolean plain) {
    at++;
    while (at < limit) {
      byte b = sql[at++];
      if (b == '\\') {
        if (anyDialect && at < limit && sql[at] == '\'') {
          return SqlToken.BROKEN;
        }
        sawBackslash |= plain;
        at += escapes ? 1 : 0;
      } else if (b == '\'') {
        if (escapes && at < limit && sql[at] == '\'') {
          at++;
        } else if (!escapes || !continues()) {
          return SqlToken.OTHER;
        }
      }
    }
    return SqlToken.BROKEN;
  }

  /** A literal continues on the next line, by the same rules, if that line begins with a quote. */
  private boolean continues() {
    int look = at;
    boolean newLine = false;
    while (look < limit) {
      byte b = sql[look];
      if (b == '-' && look + 1 < limit && sql[look + 1] == '-') {
        look = lineEnd(sql, look, limit);
      } else if (isSpace(b)) {
        newLine |= b == '\n' || b == '\r';
        look++;
      } else {
        break;
      }
    }
    if (newLine && look < limit && sql[look] == '\'') {
      at = look + 1;
      return true;
    }
    return false;
  }

  private SqlToken name(SqlToken kind) {
    at++;
    tokenFrom = at;
    while (at < limit) {
      if (anyDialect && sql[at] == '\\' && follows('"')) {
        return SqlToken.BROKEN;
      }
      if (sql[at] == '"') {
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
    while (at < limit && isDigit(sql[at])) {
      at++;
    }
    if (at > from + 1) {
      return SqlToken.OTHER;
    }
    if (anyDialect) {
      return SqlToken.BROKEN;
    }
    int look = at;
    while (look < limit && sql[look] != '$' && isWordPart(sql[look])) {
      look++;
    }
    if (look >= limit || sql[look] != '$') {
      return SqlToken.OTHER;
    }
    int tagLength = look + 1 - from;
    for (int end = look + 1; end + tagLength <= limit; end++) {
      if (isSame(sql, from, end, tagLength)) {
        at = end + tagLength;
        return SqlToken.OTHER;
      }
    }
    return SqlToken.BROKEN;
  }

  /** Skips space and comments; false if a comment does not end, or not in all dialects. */
  private boolean skipSpace() {
    while (at < limit) {
      byte b = sql[at];
      if (anyDialect ? isPlainSpace(b) : isSpace(b)) {
        at++;
      } else if (b == '-' && follows('-')) {
        if (anyDialect && !isLineCommentEverywhere()) {
          return false;
        }
        at = lineEnd(sql, at, limit);
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
   * MySQL requires a space after the dashes. A carriage return ends the comment in Postgres, but
   * not in other dialects.
   */
  private boolean isLineCommentEverywhere() {
    int after = at + 2;
    int end = after;
    while (end < limit && sql[end] != '\n') {
      byte b = sql[end];
      if (b < ' ' && b >= 0 && b != '\t' && !(b == '\r' && isAt(end + 1, '\n'))) {
        return false;
      }
      end++;
    }
    return after >= limit || isPlainSpace(sql[after]);
  }

  private boolean skipComment() {
    // MySQL, MariaDB and TiDB execute the content of such a comment.
    if (anyDialect && (isAt(at + 2, '!') || isAt(at + 3, '!'))) {
      return false;
    }
    int depth = 0;
    while (at + 1 < limit) {
      if (sql[at] == '/' && sql[at + 1] == '*') {
        if (anyDialect && depth > 0) {
          return false;
        }
        depth++;
        at += 2;
      } else if (sql[at] == '*' && sql[at + 1] == '/') {
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
}

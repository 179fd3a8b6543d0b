package io.portcullis.gate.sql;

import io.portcullis.gate.Nullable;
import io.portcullis.gate.sql.SqlTokenizer.Dialect;

/**
 * Classifies SQL texts by what they may do, for Postgres in detail and for a server of unknown
 * dialect by whether they only read.
 */
public final class SqlClassifier {
  private static final char FIRST_BEYOND_ASCII = 128;
  private static final char NEXT_LINE = 0x85;
  private static final char LINE_SEPARATOR = 0x2028;
  private static final char PARAGRAPH_SEPARATOR = 0x2029;

  /** Among these are wide and narrow variants of the letters of ASCII. */
  private static final char FIRST_COMPATIBILITY_FORM = 0xF900;

  private static final byte PLAIN_LETTER = -2;

  /** A control character that ends a line for some, and is not read as white space. */
  private static final byte LINE_END = 0x0B;

  private SqlClassifier() {}

  /**
   * Whether no server changes anything by executing the text, whatever its dialect, except by a
   * function that the text calls. False for a text that dialects read differently. True for an
   * empty text, which drivers send to test the connection.
   */
  public static boolean onlyReads(String sql) {
    byte[] text = toBytes(sql);
    SqlTokenizer tokenizer = new SqlTokenizer(text, 0, text.length, Dialect.UNKNOWN);
    while (true) {
      SqlStatement statement = new SqlStatement(text);
      UnknownDialectCheck check = new UnknownDialectCheck(text);
      SqlToken token = tokenizer.next();
      while (token != SqlToken.SEMICOLON && token != SqlToken.END) {
        if (token == SqlToken.BROKEN || token == SqlToken.JOINED_NUMBER) {
          return false;
        }
        statement.add(token, tokenizer);
        check.add(token, tokenizer);
        token = tokenizer.next();
      }
      if (!check.isRead(statement)) {
        return false;
      }
      if (token == SqlToken.END) {
        return true;
      }
    }
  }

  /** One byte for each character, since only characters below 128 have to be distinguished. */
  private static byte[] toBytes(String sql) {
    byte[] bytes = new byte[sql.length()];
    for (int i = 0; i < bytes.length; i++) {
      char c = sql.charAt(i);
      bytes[i] = c < FIRST_BEYOND_ASCII ? (byte) c : beyondAscii(c);
    }
    return bytes;
  }

  /**
   * Letters that no dialect takes for one of ASCII when it ignores case; anything else may be white
   * space to some server.
   */
  private static byte beyondAscii(char c) {
    if (c == NEXT_LINE || c == LINE_SEPARATOR || c == PARAGRAPH_SEPARATOR) {
      return LINE_END;
    }
    boolean isPlain =
        Character.isLetter(c)
            && c < FIRST_COMPATIBILITY_FORM
            && Character.toUpperCase(c) >= FIRST_BEYOND_ASCII
            && Character.toLowerCase(c) >= FIRST_BEYOND_ASCII;
    return isPlain ? PLAIN_LETTER : SqlTokenizer.FOREIGN;
  }

  /**
   * What the statements of the text may do together, on Postgres.
   *
   * <p>A text whose meaning depends on whether a backslash escapes a quote is read both ways, and
   * the graver verdict stands. A reading by which the text stops inside a literal does not count:
   * the server reads a text to its end before it does anything.
   */
  public static SqlEffect classify(byte[] text, int from, int to) {
    SqlTokenizer tokenizer = new SqlTokenizer(text, from, to, Dialect.POSTGRES);
    SqlEffect verdict = read(text, tokenizer);
    if (tokenizer.sawBackslash()) {
      SqlEffect other = read(text, new SqlTokenizer(text, from, to, Dialect.POSTGRES_WITH_ESCAPES));
      verdict =
          verdict == null
              ? other
              : other == null ? verdict : StatementSequence.stricter(verdict, other);
    }
    return verdict == null ? SqlEffect.WRITE : verdict;
  }

  /** Null if it stops inside a literal or a comment. */
  private static @Nullable SqlEffect read(byte[] text, SqlTokenizer tokenizer) {
    StatementSequence course = new StatementSequence();
    SqlStatement statement = new SqlStatement(text);
    for (SqlToken token = tokenizer.next(); ; token = tokenizer.next()) {
      switch (token) {
        case BROKEN -> {
          return null;
        }
        case SEMICOLON -> {
          course.add(statement.effect());
          statement = new SqlStatement(text);
        }
        case END -> {
          course.add(statement.effect());
          return course.effect();
        }
        default -> statement.add(token, tokenizer);
      }
    }
  }
}

package io.portcullis.gate.sql;

import io.portcullis.gate.Nullable;
import io.portcullis.gate.sql.SqlTokenizer.Dialect;

/**
 * Classifies SQL by what it may do: in detail for Postgres, and for a server of unknown dialect by
 * whether it only reads.
 */
public final class SqlClassifier {
  private static final char FIRST_BEYOND_ASCII = 128;
  private static final char NEXT_LINE = 0x85;
  private static final char LINE_SEPARATOR = 0x2028;
  private static final char PARAGRAPH_SEPARATOR = 0x2029;

  /** From here on there are full-width and half-width variants of ASCII letters. */
  private static final char FIRST_COMPATIBILITY_FORM = 0xF900;

  private static final byte PLAIN_LETTER = -2;

  /** A control character that ends a line in some dialects, and is not read as white space. */
  private static final byte LINE_END = 0x0B;

  private SqlClassifier() {}

  /**
   * Whether no server, whatever its dialect, changes anything by executing this SQL, except through
   * a function that it calls. False for SQL that dialects read differently. True for an empty
   * string, which drivers send to test the connection.
   */
  public static boolean onlyReads(String sql) {
    byte[] bytes = toBytes(sql);
    SqlTokenizer tokenizer = new SqlTokenizer(bytes, 0, bytes.length, Dialect.UNKNOWN);
    while (true) {
      SqlStatement statement = new SqlStatement(bytes);
      UnknownDialectCheck check = new UnknownDialectCheck(bytes);
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

  /**
   * Converts each character to one byte, since only characters below 128 have to be distinguished.
   */
  private static byte[] toBytes(String sql) {
    byte[] bytes = new byte[sql.length()];
    for (int i = 0; i < bytes.length; i++) {
      char c = sql.charAt(i);
      bytes[i] = c < FIRST_BEYOND_ASCII ? (byte) c : beyondAscii(c);
    }
    return bytes;
  }

  /**
   * Returns {@link #PLAIN_LETTER} for a letter that no dialect treats as an ASCII letter when it
   * ignores case; any other character may be white space to some server.
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
   * What the statements in this SQL may do together, on Postgres.
   *
   * <p>If the meaning depends on whether a backslash escapes a quote, the SQL is read both ways,
   * and the stricter effect applies. A reading that ends inside a literal does not count: the
   * server reads the whole SQL before it executes anything.
   */
  public static SqlEffect classify(byte[] bytes, int from, int to) {
    SqlTokenizer tokenizer = new SqlTokenizer(bytes, from, to, Dialect.POSTGRES);
    SqlEffect effect = read(bytes, tokenizer);
    if (tokenizer.sawBackslash()) {
      SqlEffect other =
          read(bytes, new SqlTokenizer(bytes, from, to, Dialect.POSTGRES_WITH_ESCAPES));
      effect =
          effect == null
              ? other
              : other == null ? effect : StatementSequence.stricter(effect, other);
    }
    return effect == null ? SqlEffect.WRITE : effect;
  }

  /** Returns null if the SQL ends inside a literal or a comment. */
  private static @Nullable SqlEffect read(byte[] bytes, SqlTokenizer tokenizer) {
    StatementSequence sequence = new StatementSequence();
    SqlStatement statement = new SqlStatement(bytes);
    for (SqlToken token = tokenizer.next(); ; token = tokenizer.next()) {
      switch (token) {
        case BROKEN -> {
          return null;
        }
        case SEMICOLON -> {
          sequence.add(statement.effect());
          statement = new SqlStatement(bytes);
        }
        case END -> {
          sequence.add(statement.effect());
          return sequence.effect();
        }
        default -> statement.add(token, tokenizer);
      }
    }
  }
}

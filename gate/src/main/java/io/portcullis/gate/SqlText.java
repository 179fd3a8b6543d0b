package io.portcullis.gate;

import java.util.Locale;
import java.util.Set;

/**
 * Judges by the text of an SQL command whether executing it can change data. What is not surely
 * harmless is not: a text that this class does not understand counts as one that writes.
 *
 * <p>Each command of the text must begin with a word that begins no change, and must contain no
 * word that tells of one: {@code WITH … DELETE}, {@code SELECT … INTO}, {@code SELECT … FOR
 * UPDATE}. A function that is called and changes data by itself can't be seen.
 */
final class SqlText {
  /** Queries, and what concerns the session or its transaction alone. */
  private static final Set<String> HARMLESS_BEGINNINGS =
      Set.of(
          "SELECT",
          "VALUES",
          "WITH",
          "TABLE",
          "SHOW",
          "DESCRIBE",
          "DESC",
          "EXPLAIN",
          "COMMIT",
          "ROLLBACK",
          "SAVEPOINT",
          "RELEASE",
          "SET",
          "RESET",
          "USE",
          "LISTEN",
          "UNLISTEN",
          "PRAGMA");

  /** Some databases need nothing between one command and the next. */
  private static final Set<String> WORDS_OF_CHANGE =
      Set.of(
          "INSERT",
          "UPDATE",
          "DELETE",
          "MERGE",
          "UPSERT",
          "INTO",
          "CREATE",
          "ALTER",
          "DROP",
          "TRUNCATE",
          "GRANT",
          "REVOKE",
          "CALL",
          "EXEC",
          "EXECUTE",
          "GLOBAL",
          "PERSIST");

  private final String text;
  private int at;

  private SqlText(String text) {
    this.text = text;
  }

  /** An empty text only reads: a driver may send one to see whether the other end answers. */
  static boolean onlyReads(String sql) {
    return new SqlText(sql).onlyReads();
  }

  private boolean onlyReads() {
    boolean begun = false;
    while (at < text.length()) {
      char next = text.charAt(at);
      if (Character.isWhitespace(next) || next == '(') {
        at++;
      } else if (startsWith("--") || next == '#') {
        skipPast("\n");
      } else if (startsWith("/*!")) {
        return false; // MySQL executes such a comment.
      } else if (startsWith("/*")) {
        skipPast("*/");
      } else if (next == ';') {
        begun = false;
        at++;
      } else if (Character.isJavaIdentifierStart(next)) {
        String word = word();
        if (begun ? WORDS_OF_CHANGE.contains(word) : !HARMLESS_BEGINNINGS.contains(word)) {
          return false;
        }
        begun = true;
      } else if (!begun || !skipOther(next)) {
        return false;
      }
    }
    return true;
  }

  /** False where it is in doubt what a text in quotes is, and so what follows it. */
  private boolean skipOther(char next) {
    at++;
    if (next != '\'' && next != '"' && next != '`') {
      return true;
    }
    int end = text.indexOf(next, at);
    if (end < 0 || text.charAt(end - 1) == '\\') {
      return false;
    }
    at = end + 1;
    return true;
  }

  private String word() {
    int start = at;
    while (at < text.length() && Character.isJavaIdentifierPart(text.charAt(at))) {
      at++;
    }
    return text.substring(start, at).toUpperCase(Locale.ROOT);
  }

  private boolean startsWith(String mark) {
    return text.startsWith(mark, at);
  }

  private void skipPast(String mark) {
    int end = text.indexOf(mark, at);
    at = end < 0 ? text.length() : end + mark.length();
  }
}

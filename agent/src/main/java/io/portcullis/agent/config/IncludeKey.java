package io.portcullis.agent.config;

/**
 * Lets {@code include = [ … ]} be a key. HOCON knows the bare word at the start of a field only as
 * a statement, {@code include "file"}; here it is also the key of the ready-made rule sets. So the
 * word is put into quotes where an assignment follows it. Lines stay where they are.
 */
final class IncludeKey {
  private static final String WORD = "include";
  private static final String BLOCK_QUOTE = "\"\"\"";

  private final String text;
  private final StringBuilder quoted = new StringBuilder();
  private int at;
  private boolean fieldMayStart = true;

  private IncludeKey(String text) {
    this.text = text;
  }

  static String quoted(String text) {
    return new IncludeKey(text).walk();
  }

  private String walk() {
    while (at < text.length()) {
      char next = text.charAt(at);
      if (text.startsWith(BLOCK_QUOTE, at)) {
        copyTo(endOf(BLOCK_QUOTE, at + BLOCK_QUOTE.length()));
        fieldMayStart = false;
      } else if (next == '"') {
        copyTo(endOfString());
        fieldMayStart = false;
      } else if (next == '#' || text.startsWith("//", at)) {
        int end = text.indexOf('\n', at);
        copyTo(end < 0 ? text.length() : end);
      } else if (fieldMayStart && isKey()) {
        quoted.append('"').append(WORD).append('"');
        at += WORD.length();
        fieldMayStart = false;
      } else {
        fieldMayStart = "{,\n".indexOf(next) >= 0 || (fieldMayStart && isBlank(next));
        copyTo(at + 1);
      }
    }
    return quoted.toString();
  }

  private boolean isKey() {
    if (!text.startsWith(WORD, at)) {
      return false;
    }
    int after = at + WORD.length();
    while (after < text.length() && (text.charAt(after) == ' ' || text.charAt(after) == '\t')) {
      after++;
    }
    return after < text.length()
        && ("=:".indexOf(text.charAt(after)) >= 0 || text.startsWith("+=", after));
  }

  private int endOfString() {
    int end = at + 1;
    while (end < text.length() && text.charAt(end) != '"' && text.charAt(end) != '\n') {
      end += text.charAt(end) == '\\' ? 2 : 1;
    }
    return Math.min(end + 1, text.length());
  }

  private int endOf(String mark, int from) {
    int end = text.indexOf(mark, from);
    return end < 0 ? text.length() : end + mark.length();
  }

  private void copyTo(int end) {
    quoted.append(text, at, end);
    at = end;
  }

  private static boolean isBlank(char next) {
    return Character.isWhitespace(next) || next == '\uFEFF';
  }
}

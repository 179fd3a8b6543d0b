package io.portcullis.agent.config;

import java.util.ArrayList;
import java.util.List;

/**
 * Scans the text before it is parsed, for two peculiarities of HOCON.
 *
 * <p>{@code include} is a reserved word of HOCON, and was the key for rule sets in earlier
 * versions. Where an assignment follows it, it is put into quotes: the parser then reports it as an
 * unknown key, with its line and the key's new name, instead of a syntax error. Line numbers do not
 * change.
 *
 * <p>HOCON merges two sections that stand side by side without a comma: the second overrides the
 * first. Of two rules written that way one would be lost and its methods left ungated. So such
 * places are collected and refused.
 */
final class HoconPreprocessor {
  private static final String WORD = KeyCheck.FORMER_RULE_SETS;
  private static final String BLOCK_QUOTE = "\"\"\"";

  private final String text;
  private final StringBuilder quoted = new StringBuilder();
  private final List<Integer> mergedLines = new ArrayList<>();
  private int at;
  private int line = 1;
  private boolean fieldMayStart = true;
  private boolean sectionEnded;
  private boolean inSubstitution;

  private HoconPreprocessor(String text) {
    this.text = text;
  }

  static HoconPreprocessor of(String text) {
    HoconPreprocessor scan = new HoconPreprocessor(text);
    scan.walk();
    return scan;
  }

  /** The text with the key in quotes. */
  String text() {
    return quoted.toString();
  }

  /** The lines on which a section begins right after another. */
  List<Integer> mergedLines() {
    return List.copyOf(mergedLines);
  }

  private void walk() {
    while (at < text.length()) {
      if (text.startsWith(BLOCK_QUOTE, at)) {
        value(endOf(BLOCK_QUOTE, at + BLOCK_QUOTE.length()));
      } else if (text.charAt(at) == '"') {
        value(endOfString());
      } else if (text.charAt(at) == '#' || text.startsWith("//", at)) {
        int end = text.indexOf('\n', at);
        copyTo(end < 0 ? text.length() : end);
      } else if (fieldMayStart && isKey()) {
        quoted.append('"').append(WORD).append('"');
        at += WORD.length();
        fieldMayStart = false;
      } else {
        mark(text.charAt(at));
      }
    }
  }

  private void value(int end) {
    fieldMayStart = false;
    sectionEnded = false;
    copyTo(end);
  }

  private void mark(char next) {
    if (next == '{' && sectionEnded) {
      mergedLines.add(line);
    }
    inSubstitution |= text.startsWith("${", at);
    boolean blank = isBlank(next) && next != '\n';
    sectionEnded = (next == '}' && !inSubstitution) || (sectionEnded && blank);
    inSubstitution &= next != '}' && next != '\n';
    fieldMayStart = "{,\n".indexOf(next) >= 0 || (fieldMayStart && blank);
    copyTo(at + 1);
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
    for (int i = at; i < end; i++) {
      line += text.charAt(i) == '\n' ? 1 : 0;
    }
    quoted.append(text, at, end);
    at = end;
  }

  private static boolean isBlank(char next) {
    return Character.isWhitespace(next) || next == '\uFEFF';
  }
}

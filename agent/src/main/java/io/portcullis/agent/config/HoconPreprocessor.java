package io.portcullis.agent.config;

import java.util.ArrayList;
import java.util.List;

/**
 * A look at the text before it is parsed, for two things of HOCON that would surprise here.
 *
 * <p>The bare word {@code include} at the start of a field is a statement; here {@code include = [
 * … ]} is also the key of the ready-made rule sets. So the word is put into quotes where an
 * assignment follows it. Lines stay where they are.
 *
 * <p>Two sections side by side without a comma are one to HOCON, the second laid over the first. Of
 * two rules written so one would be lost, and its methods left without a gate. So such places are
 * found, to be refused.
 */
final class HoconPreprocessor {
  private static final String WORD = "include";
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

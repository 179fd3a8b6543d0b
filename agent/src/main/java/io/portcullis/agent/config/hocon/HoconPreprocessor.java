package io.portcullis.agent.config.hocon;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Scans the text before it is parsed, for peculiarities of HOCON that hide a slip.
 *
 * <p>{@code include} is a reserved word of HOCON, and was the key for rule sets in earlier
 * versions. If an assignment follows it, this class quotes it. {@link KeyCheck} then reports an
 * unknown key, with its line and the key's new name, instead of a syntax error of the parser. Line
 * numbers do not change.
 *
 * <p>HOCON merges two adjacent sections without a comma between them: the second overrides the
 * first. Of two rules written that way, one would be lost and its methods left ungated. Such places
 * are therefore collected and refused.
 *
 * <p>{@code #} starts a comment, also directly after a value. Of a match pattern without quotes
 * only the class would be read. Such places are collected and refused, too.
 *
 * <p>A missing brace is reported by the parser where it notices it, often at the end of the file.
 * {@link BracketMatcher} finds where it was opened.
 */
final class HoconPreprocessor {
  private static final String FORMER_KEY = KeyCheck.FORMER_RULE_SETS;
  private static final String BLOCK_QUOTE = "\"\"\"";

  private final String text;
  private final StringBuilder quoted = new StringBuilder();
  private final List<Integer> mergedLines = new ArrayList<>();
  private final List<UnquotedHash> unquotedHashes = new ArrayList<>();
  private final BracketMatcher brackets = new BracketMatcher();
  private int at;
  private int line = 1;
  private int lineStart;
  private boolean fieldMayStart = true;
  private boolean sectionEnded;
  private boolean inSubstitution;

  private HoconPreprocessor(String text) {
    this.text = text;
  }

  static HoconPreprocessor of(String text) {
    HoconPreprocessor preprocessor = new HoconPreprocessor(text);
    preprocessor.walk();
    return preprocessor;
  }

  /** The text with the former key quoted. */
  String text() {
    return quoted.toString();
  }

  /** The lines on which a section starts directly after another one. */
  List<Integer> mergedLines() {
    return List.copyOf(mergedLines);
  }

  /** The places where a {@code #} cuts off the end of a value. */
  List<UnquotedHash> unquotedHashes() {
    return List.copyOf(unquotedHashes);
  }

  /** The bracket that most likely has no counterpart; empty if all have one. */
  Optional<BracketMatcher.UnmatchedBracket> unmatchedBracket() {
    return brackets.unmatched((int) text.stripTrailing().lines().count());
  }

  /** The lines of the text as it was written. */
  List<String> lines() {
    return text.lines().toList();
  }

  private void walk() {
    while (at < text.length()) {
      if (text.startsWith(BLOCK_QUOTE, at)) {
        quotedValue(endOf(BLOCK_QUOTE, at + BLOCK_QUOTE.length()));
      } else if (text.charAt(at) == '"') {
        quotedValue(endOfString());
      } else if (text.charAt(at) == '#' || text.startsWith("//", at)) {
        UnquotedHash.at(at, text, line).ifPresent(unquotedHashes::add);
        copyTo(endOfLine(text, at));
      } else if (fieldMayStart && isKey()) {
        quoted.append('"').append(FORMER_KEY).append('"');
        at += FORMER_KEY.length();
        fieldMayStart = false;
      } else {
        delimiterOrText(text.charAt(at));
      }
    }
  }

  private void quotedValue(int end) {
    fieldMayStart = false;
    sectionEnded = false;
    copyTo(end);
  }

  private void delimiterOrText(char next) {
    if (next == '{' && sectionEnded) {
      mergedLines.add(line);
    }
    inSubstitution |= text.startsWith("${", at);
    if (!inSubstitution) {
      brackets.next(next, new BracketMatcher.Position(line, indent()));
    }
    boolean blank = isBlank(next) && next != '\n';
    sectionEnded = (next == '}' && !inSubstitution) || (sectionEnded && blank);
    inSubstitution &= next != '}' && next != '\n';
    fieldMayStart = "{,\n".indexOf(next) >= 0 || (fieldMayStart && blank);
    copyTo(at + 1);
  }

  private boolean isKey() {
    if (!text.startsWith(FORMER_KEY, at)) {
      return false;
    }
    int after = at + FORMER_KEY.length();
    while (after < text.length() && (text.charAt(after) == ' ' || text.charAt(after) == '\t')) {
      after++;
    }
    return after < text.length()
        && ("=:".indexOf(text.charAt(after)) >= 0 || text.startsWith("+=", after));
  }

  /** The number of blanks at the start of the line, negative if the line has text before here. */
  private int indent() {
    int indent = 0;
    while (lineStart + indent < at && isBlank(text.charAt(lineStart + indent))) {
      indent++;
    }
    return lineStart + indent == at ? indent : -indent - 1;
  }

  private static int endOfLine(String text, int from) {
    int end = text.indexOf('\n', from);
    return end < 0 ? text.length() : end;
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
      if (text.charAt(i) == '\n') {
        line++;
        lineStart = i + 1;
      }
    }
    quoted.append(text, at, end);
    at = end;
  }

  private static boolean isBlank(char next) {
    return Character.isWhitespace(next) || next == '\uFEFF';
  }

  /**
   * A value that ends at a {@code #} which directly follows it and is directly followed by more
   * text.
   *
   * @param read what the parser reads as the value
   * @param written the value as it was most likely meant
   */
  record UnquotedHash(int line, String read, String written) {
    private static final Pattern READ = Pattern.compile("[^\\s{}\\[\\],=:\"#]+$");
    private static final Pattern REST =
        Pattern.compile("^#[\\p{L}_$*<][^\\s(){}\\[\\],]*(\\([^)\\n]*\\))?");

    static Optional<UnquotedHash> at(int hash, String text, int line) {
      Matcher read = READ.matcher(text.substring(text.lastIndexOf('\n', hash) + 1, hash));
      Matcher rest = REST.matcher(text.substring(hash, endOfLine(text, hash)));
      return read.find() && rest.find()
          ? Optional.of(new UnquotedHash(line, read.group(), read.group() + rest.group()))
          : Optional.empty();
    }
  }
}

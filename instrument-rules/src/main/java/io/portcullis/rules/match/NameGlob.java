package io.portcullis.rules.match;

/**
 * A name with wildcards: {@code *} matches any characters within one segment, {@code **} any
 * characters across segments. A {@code **.} at the start of a segment matches any number of whole
 * segments, including none, so {@code **.Ledger} matches {@code com.acme.Ledger} and {@code
 * Ledger}, but not {@code com.acme.OldLedger}.
 *
 * <p>Matching allocates nothing, because it runs for every class that the JVM loads. It backtracks
 * over the lengths of the wildcards, hence the limit on their number.
 */
final class NameGlob {
  static final int MAX_WILDCARDS = 8;

  /** Placeholders for wildcards; no name contains these characters. */
  private static final char WITHIN_SEGMENT = '\uFFF0';

  private static final char ACROSS_SEGMENTS = '\uFFF1';
  private static final char WHOLE_SEGMENTS = '\uFFF2';

  private final String program;
  private final String prefix;
  private final String suffix;

  NameGlob(String pattern) {
    program = compiled(pattern);
    prefix = program.substring(0, firstWildcard(program));
    suffix = program.substring(lastWildcard(program) + 1);
  }

  String prefix() {
    return prefix;
  }

  static boolean hasWildcard(String name) {
    return name.indexOf('*') >= 0;
  }

  /** Whether the pattern matches a name whose segments are separated by the given character. */
  boolean matches(String name, char separator) {
    return startsWithPrefix(name, separator)
        && endsWithSuffix(name, separator)
        && matches(prefix.length(), name, prefix.length(), separator);
  }

  private boolean startsWithPrefix(String name, char separator) {
    return name.length() >= prefix.length() && regionMatches(prefix, name, 0, separator);
  }

  private boolean endsWithSuffix(String name, char separator) {
    int start = name.length() - suffix.length();
    return start >= 0 && regionMatches(suffix, name, start, separator);
  }

  private static boolean regionMatches(String literal, String name, int start, char separator) {
    for (int i = 0; i < literal.length(); i++) {
      if (!same(literal.charAt(i), name.charAt(start + i), separator)) {
        return false;
      }
    }
    return true;
  }

  private static boolean same(char expected, char actual, char separator) {
    return expected == '.' ? actual == separator : expected == actual;
  }

  private boolean matches(int at, String name, int from, char separator) {
    int position = from;
    for (int i = at; i < program.length(); i++) {
      char expected = program.charAt(i);
      if (isWildcard(expected)) {
        return restMatches(expected, i + 1, name, position, separator);
      }
      if (position == name.length() || !same(expected, name.charAt(position), separator)) {
        return false;
      }
      position++;
    }
    return position == name.length();
  }

  private boolean restMatches(char wildcard, int rest, String name, int from, char separator) {
    return wildcard == WHOLE_SEGMENTS
        ? restMatchesAtASegment(rest, name, from, separator)
        : restMatchesAfterSome(rest, name, from, separator, wildcard == ACROSS_SEGMENTS);
  }

  private boolean restMatchesAfterSome(
      int rest, String name, int from, char separator, boolean across) {
    for (int i = from; ; i++) {
      if (matches(rest, name, i, separator)) {
        return true;
      }
      if (i == name.length() || (!across && name.charAt(i) == separator)) {
        return false;
      }
    }
  }

  private boolean restMatchesAtASegment(int rest, String name, int from, char separator) {
    int segment = from;
    while (!matches(rest, name, segment, separator)) {
      int end = name.indexOf(separator, segment);
      if (end < 0) {
        return false;
      }
      segment = end + 1;
    }
    return true;
  }

  private static String compiled(String pattern) {
    StringBuilder program = new StringBuilder();
    for (int i = 0; i < pattern.length(); i++) {
      boolean segmentBegins = i == 0 || pattern.charAt(i - 1) == '.';
      if (segmentBegins && pattern.startsWith("**.", i)) {
        program.append(WHOLE_SEGMENTS);
        i += 2;
      } else if (pattern.startsWith("**", i)) {
        program.append(ACROSS_SEGMENTS);
        i += 1;
      } else {
        program.append(pattern.charAt(i) == '*' ? WITHIN_SEGMENT : pattern.charAt(i));
      }
    }
    return program.toString();
  }

  private static boolean isWildcard(char c) {
    return c >= WITHIN_SEGMENT && c <= WHOLE_SEGMENTS;
  }

  private static int firstWildcard(String program) {
    int i = 0;
    while (i < program.length() && !isWildcard(program.charAt(i))) {
      i++;
    }
    return i;
  }

  private static int lastWildcard(String program) {
    int i = program.length() - 1;
    while (i >= 0 && !isWildcard(program.charAt(i))) {
      i--;
    }
    return i;
  }
}

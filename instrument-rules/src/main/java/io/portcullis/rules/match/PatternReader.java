package io.portcullis.rules.match;

import io.portcullis.rules.match.MatchPattern.InvalidPatternException;
import io.portcullis.rules.match.MethodPattern.ParameterPattern;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Parses match patterns, and reports the exact position and cause of an error. */
final class PatternReader {
  private static final String FORM =
      "Write [@Annotation] Type[+]#method(parameters), as in com.acme.Ledger#save(..)";
  private static final String NEVER_IN_A_NAME = "/;[]<>:,()@+ \t\r\n";

  private final String text;

  PatternReader(String text) {
    this.text = text;
  }

  MatchPattern read() {
    int start = indexOfText(0);
    if (start == text.length()) {
      throw invalid(0, "the pattern is empty", FORM);
    }
    String annotation = null;
    if (text.charAt(start) == '@') {
      int end = endOfWord(start);
      annotation = annotation(start + 1, end);
      start = indexOfText(end);
    }
    int hash = text.indexOf('#');
    if (hash < 0) {
      throw invalid(start, "there is no '#' between type and method", FORM);
    }
    if (text.indexOf('#', hash + 1) >= 0) {
      throw invalid(text.indexOf('#', hash + 1), "there is a second '#'", FORM);
    }
    boolean subtypes = hash > start && text.charAt(hash - 1) == '+';
    TypePattern type = type(start, subtypes ? hash - 1 : hash);
    int open = text.indexOf('(', hash);
    if (open < 0) {
      throw invalid(
          text.length(), "the parameters are missing", "Write (..) after the name for any");
    }
    String name = methodName(hash + 1, open);
    int close = endOfText();
    if (text.charAt(close - 1) != ')') {
      throw invalid(close, "the pattern does not end with ')'", FORM);
    }
    ParameterPattern parameters = new ParameterReader(this, open + 1, close - 1).read();
    return new MatchPattern(text, annotation, type, subtypes, new MethodPattern(name, parameters));
  }

  private String annotation(int start, int end) {
    String name = text.substring(start, end);
    if (name.indexOf('#') >= 0) {
      throw invalid(
          start + name.indexOf('#'),
          "the type is missing",
          "Write ** between annotation and '#' for any type");
    }
    if (NameGlob.hasWildcard(name)) {
      throw invalid(
          start + name.indexOf('*'),
          "an annotation's name has no wildcards",
          "Write a whole name, and a rule for each");
    }
    if (name.indexOf('(') >= 0) {
      throw invalid(
          start + name.indexOf('('),
          "an annotation is named without its values",
          "Write @" + name.substring(0, name.indexOf('(')));
    }
    checkName(start, end);
    return name;
  }

  private TypePattern type(int start, int end) {
    String name = text.substring(start, end);
    if (name.isEmpty()) {
      throw invalid(start, "the type is missing", FORM);
    }
    checkName(start, end);
    return NameGlob.hasWildcard(name)
        ? new TypePattern.Wildcard(name)
        : new TypePattern.Exact(name);
  }

  private String methodName(int start, int end) {
    String name = text.substring(start, end);
    if (name.isEmpty()) {
      throw invalid(start, "the method's name is missing", "Write * for any method");
    }
    if (name.equals("<init>")) {
      throw invalid(start, "'<init>' is no name here", "Write new for constructors");
    }
    if (name.equals("<clinit>")) {
      throw invalid(start, "static initialisers can't be gated", "Name a method");
    }
    if (name.contains("**")) {
      throw invalid(start + name.indexOf("**"), "'**' in a method's name", "Write * instead");
    }
    int dot = name.indexOf('.');
    if (dot >= 0) {
      throw invalid(
          start + dot, "a method's name has no '.'", "Put the '#' before the method's name");
    }
    checkName(start, end);
    return name;
  }

  /** Reads a name as the JVM allows it, which is more than Java allows. */
  void checkName(int start, int end) {
    String name = text.substring(start, end);
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c == '/') {
        throw invalid(start + i, "'/' in a name", "Write binary names with dots: java.lang.String");
      }
      if (NEVER_IN_A_NAME.indexOf(c) >= 0 || c >= '\uFFF0') {
        throw invalid(start + i, "'%s' has no place here".formatted(c), FORM);
      }
      boolean emptySegment =
          c == '.' && (i == 0 || i == name.length() - 1 || name.charAt(i + 1) == '.');
      if (emptySegment) {
        throw invalid(start + i, "a part of the name is empty", "Write com.acme.Ledger");
      }
      if (name.startsWith("***", i)) {
        throw invalid(start + i, "'***' is not a wildcard", "Write * or **");
      }
    }
    if (name.isEmpty()) {
      throw invalid(start, "a name is missing", FORM);
    }
    if (name.replace("**", "*").chars().filter(c -> c == '*').count() > NameGlob.MAX_WILDCARDS) {
      throw invalid(
          start,
          "more than %d wildcards in one name".formatted(NameGlob.MAX_WILDCARDS),
          "Use fewer, or several rules");
    }
  }

  String text() {
    return text;
  }

  InvalidPatternException invalid(int position, String problem, String remedy) {
    return new InvalidPatternException(text, position, problem, remedy);
  }

  private int indexOfText(int from) {
    int i = from;
    while (i < text.length() && Character.isWhitespace(text.charAt(i))) {
      i++;
    }
    return i;
  }

  private int endOfWord(int from) {
    int i = from;
    while (i < text.length() && !Character.isWhitespace(text.charAt(i))) {
      i++;
    }
    return i;
  }

  private int endOfText() {
    int end = text.length();
    while (Character.isWhitespace(text.charAt(end - 1))) {
      end--;
    }
    return end;
  }

  /** The parts of a range between commas, as start and end without surrounding blanks. */
  List<int[]> parts(int start, int end) {
    List<int[]> parts = new ArrayList<>();
    int from = start;
    for (int i = start; i <= end; i++) {
      if (i == end || text.charAt(i) == ',') {
        parts.add(trimmed(from, i));
        from = i + 1;
      }
    }
    return parts;
  }

  private int[] trimmed(int start, int end) {
    int from = start;
    int to = end;
    while (from < to && Character.isWhitespace(text.charAt(from))) {
      from++;
    }
    while (to > from && Character.isWhitespace(text.charAt(to - 1))) {
      to--;
    }
    return new int[] {from, to};
  }

  /** Reads the parameter list of a pattern. */
  static final class ParameterReader {
    /**
     * Types that are often written without their package. A class in the unnamed package could have
     * such a name too, but rarely does.
     */
    private static final Map<String, String> OFTEN_BARE = oftenBare();

    private final PatternReader pattern;
    private final int start;
    private final int end;

    ParameterReader(PatternReader pattern, int start, int end) {
      this.pattern = pattern;
      this.start = start;
      this.end = end;
    }

    ParameterPattern read() {
      List<String> types = new ArrayList<>();
      boolean open = false;
      List<int[]> parts = pattern.parts(start, end);
      if (parts.size() == 1 && isEmpty(parts.get(0))) {
        return new ParameterPattern(List.of(), false);
      }
      for (int[] part : parts) {
        String type = pattern.text().substring(part[0], part[1]);
        if (open) {
          throw pattern.invalid(part[0], "'..' is not the last parameter", "Write * for each type");
        }
        if (type.equals("..")) {
          open = true;
        } else {
          types.add(type(type, part[0]));
        }
      }
      return new ParameterPattern(types, open);
    }

    private static boolean isEmpty(int[] part) {
      return part[0] == part[1];
    }

    private String type(String written, int at) {
      String type = written.endsWith("...") ? written.replaceFirst("\\.\\.\\.$", "[]") : written;
      if (type.equals(ParameterPattern.ANY)) {
        return type;
      }
      int generic = written.indexOf('<');
      if (generic >= 0) {
        throw pattern.invalid(
            at + generic, "generics are erased", "Write " + written.substring(0, generic));
      }
      String element = type;
      while (element.endsWith("[]")) {
        element = element.substring(0, element.length() - 2);
      }
      if (element.isEmpty()) {
        throw pattern.invalid(at, "a parameter's type is missing", "Write * for any one type");
      }
      if (NameGlob.hasWildcard(element)) {
        throw pattern.invalid(
            at, "a parameter's type has no wildcards within", "Write a whole name, or * alone");
      }
      pattern.checkName(at, at + element.length());
      String full = OFTEN_BARE.get(element);
      if (full != null) {
        throw pattern.invalid(
            at, "%s has no package".formatted(element), "Write " + type.replace(element, full));
      }
      if (element.equals("void")) {
        throw pattern.invalid(at, "no parameter is void", "Write () for none");
      }
      return type;
    }

    private static Map<String, String> oftenBare() {
      Map<String, String> names = new HashMap<>();
      put(
          names,
          "java.lang.",
          "Object String CharSequence Boolean Byte Character Short Integer Long Float Double Number"
              + " Class Runnable Throwable Exception Iterable Enum Void Thread StringBuilder");
      put(
          names,
          "java.util.",
          "List Map Set Collection Optional UUID Date Locale Properties Queue Iterator ArrayList"
              + " HashMap");
      put(
          names,
          "java.time.",
          "Duration Instant LocalDate LocalDateTime LocalTime ZonedDateTime OffsetDateTime ZoneId");
      put(names, "java.math.", "BigDecimal BigInteger");
      return Map.copyOf(names);
    }

    private static void put(Map<String, String> names, String prefix, String simpleNames) {
      for (String name : simpleNames.split(" ", -1)) {
        names.put(name, prefix + name);
      }
    }
  }
}

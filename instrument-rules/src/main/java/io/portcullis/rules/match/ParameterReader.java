package io.portcullis.rules.match;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads what stands between the parentheses of a pattern. */
final class ParameterReader {
  /**
   * Types that are often written without their package. A class of one's own without a package
   * could have such a name too, but hardly ever does.
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

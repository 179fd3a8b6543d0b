package io.portcullis.rules.match;

import java.util.List;

/**
 * Which parameter lists a pattern means.
 *
 * @param types binary names, or {@code *} for any one type
 * @param open whether any others may follow
 */
record ParameterPattern(List<String> types, boolean open) {
  static final String ANY = "*";

  ParameterPattern {
    types = List.copyOf(types);
  }

  boolean matches(List<String> actual) {
    if (open ? actual.size() < types.size() : actual.size() != types.size()) {
      return false;
    }
    for (int i = 0; i < types.size(); i++) {
      if (!types.get(i).equals(ANY) && !types.get(i).equals(actual.get(i))) {
        return false;
      }
    }
    return true;
  }

  @Override
  public String toString() {
    String listed = String.join(",", types);
    return "(" + listed + (open ? (listed.isEmpty() ? ".." : ",..") : "") + ")";
  }
}

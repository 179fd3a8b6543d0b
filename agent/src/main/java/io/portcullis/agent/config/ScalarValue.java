package io.portcullis.agent.config;

import java.util.regex.Pattern;

/** What a bare text would be in a file: a truth value, a number, or a text. */
final class ScalarValue {
  private static final Pattern WHOLE = Pattern.compile("-?\\d{1,18}");
  private static final Pattern FRACTION = Pattern.compile("-?\\d+\\.\\d+([eE][+-]?\\d{1,3})?");

  private ScalarValue() {}

  static Object of(String text) {
    if (text.equals("true") || text.equals("false")) {
      return Boolean.valueOf(text);
    }
    if (WHOLE.matcher(text).matches()) {
      long number = Long.parseLong(text);
      return number == (int) number ? (Object) (int) number : (Object) number;
    }
    if (FRACTION.matcher(text).matches()) {
      return Double.valueOf(text);
    }
    boolean quoted = text.length() >= 2 && text.startsWith("\"") && text.endsWith("\"");
    return quoted ? text.substring(1, text.length() - 1) : text;
  }
}

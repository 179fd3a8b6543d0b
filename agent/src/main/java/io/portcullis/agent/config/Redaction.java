package io.portcullis.agent.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Takes secrets out of what is shown: all that is set under a key that speaks of a password, secret
 * or token; what stands before the {@code @} of an address; the password among the options of a
 * URL. Where a text is malformed, rather too much goes than too little.
 */
final class Redaction {
  static final String STARS = "***";

  private static final Pattern SECRET_WORD =
      Pattern.compile("passw(or)?d|passphrase|pwd|secret|token|credential");

  /** In one value, from the slashes (or the start) to the last at sign. */
  private static final List<Pattern> USER_IN_VALUE =
      List.of(
          Pattern.compile("(?s)(?<=//)(.*)(?=@)"),
          Pattern.compile("(?s)(?<=^jdbc:[A-Za-z0-9]{1,40}:)(?!.*//)(.*)(?=@)"),
          Pattern.compile("(?s)^(?!.*//)(?!jdbc:)([^@#(]*:.*)(?=@)"));

  /** The same within a sentence, where an address ends with a space. */
  private static final Pattern USER_IN_SENTENCE = Pattern.compile("(?<=//)(\\S+)(?=@)");

  private static final String OPTION_NAME =
      "(?i)(?:passw(?:or)?d|passphrase|pwd|secret|token)[\"']?\\s*[=:]\\s*";

  private static final Pattern OPTION_IN_VALUE = Pattern.compile(OPTION_NAME + "([^&;]+)");
  private static final Pattern OPTION_IN_SENTENCE = Pattern.compile(OPTION_NAME + "([^&;\\s]+)");

  private Redaction() {}

  /** A value as it may be shown under its key. */
  static String shown(String key, String value) {
    if (isSecretKey(key)) {
      return STARS;
    }
    String shown = value;
    for (Pattern user : USER_IN_VALUE) {
      shown = user.matcher(shown).replaceFirst(STARS);
    }
    return options(OPTION_IN_VALUE, shown);
  }

  /** A sentence as it may be shown. */
  static String sentence(String text) {
    return options(OPTION_IN_SENTENCE, USER_IN_SENTENCE.matcher(text).replaceAll(STARS));
  }

  /** Whether anything under this key is secret. The name of a file that holds a secret is not. */
  static boolean isSecretKey(String key) {
    String[] names = key.toLowerCase(Locale.ROOT).split("\\.", -1);
    if (names[names.length - 1].endsWith("-file")) {
      return false;
    }
    for (String name : names) {
      if (SECRET_WORD.matcher(name).find()) {
        return true;
      }
    }
    return false;
  }

  /** The secret parts of a value that is otherwise fit to be shown. */
  static List<String> hiddenIn(String value) {
    List<String> hidden = new ArrayList<>();
    for (Pattern user : USER_IN_VALUE) {
      Matcher found = user.matcher(value);
      if (found.find()) {
        String info = found.group(1);
        hidden.add(info);
        hidden.add(info.substring(info.indexOf(':') + 1));
      }
    }
    Matcher option = OPTION_IN_VALUE.matcher(value);
    while (option.find()) {
      hidden.add(option.group(1));
    }
    return hidden;
  }

  private static String options(Pattern pattern, String text) {
    Matcher option = pattern.matcher(text);
    StringBuilder shown = new StringBuilder();
    int from = 0;
    while (option.find()) {
      shown.append(text, from, option.start(1)).append(STARS);
      from = option.end(1);
    }
    return shown.append(text.substring(from)).toString();
  }
}

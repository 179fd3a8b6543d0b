package io.portcullis.agent.config.secret;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Redacts secrets in displayed values and messages: the value of any key whose name contains
 * password, secret, token, credential or a word for a cryptographic or access key; the user info
 * before the {@code @} of an address; the password among the options of a URL; the whole query of
 * an HTTP address. In malformed input it removes too much rather than too little.
 *
 * <p>A key named just {@code key} is not secret, nor is one such as {@code lock-key}: they name
 * entries of a store or files. The names of files with secrets ({@code …-file}) are displayed.
 */
public final class SecretRedaction {
  public static final String STARS = "***";
  private static final String BEHIND_QUERY_MARK = "$1" + STARS;

  /** Matches words that make a configuration key or a URL option secret. */
  private static final String SECRET_WORDS =
      "passw(?:or)?d|passphrase|passcode|pwd|secret|token|credential|bearer|cookie|signature"
          + "|(?:api|access|private|auth|account|shared|signing|encryption|master|subscription)"
          + "[-_]?key"
          + "|authorization|(?<![a-z])(?:auth|pass|sig)(?![a-z])";

  private static final Pattern SECRET_WORD = Pattern.compile(SECRET_WORDS);

  /** User info in a single value: from the slashes (or the start) to the last at sign. */
  private static final List<Pattern> USER_IN_VALUE =
      List.of(
          Pattern.compile("(?s)(?<=//)(.*)(?=@)"),
          Pattern.compile("(?s)(?<=^jdbc:[A-Za-z0-9]{1,40}:)(?!.*//)(.*)(?=@)"),
          Pattern.compile("(?s)^(?!.*//)(?!jdbc:)([^@#(]*:.*)(?=@)"));

  /** User info in a message, where an address ends at white space. */
  private static final Pattern USER_IN_SENTENCE = Pattern.compile("(?<=//)(\\S+)(?=@)");

  private static final String OPTION_NAME = "(?i)(?:" + SECRET_WORDS + ")[\"']?\\s*[=:]\\s*";

  private static final Pattern OPTION_IN_VALUE = Pattern.compile(OPTION_NAME + "([^&;]+)");
  private static final Pattern OPTION_IN_SENTENCE = Pattern.compile(OPTION_NAME + "([^&;\\s]+)");

  /** A query that the operator configured; it may be secret whatever the names of its options. */
  private static final Pattern QUERY_IN_VALUE =
      Pattern.compile("(?is)^(\\s*https?://[^?]*\\?)(.+)");

  /** Keys of HTTP addresses: user, query and fragment are redacted even in malformed input. */
  private static final Pattern HTTP_ADDRESS_KEY =
      Pattern.compile("(?:eligible-when\\.http|node\\.advertise)$");

  private static final Pattern USER_WITHOUT_SCHEME = Pattern.compile("(?s)^(?!.*//)(.*)(?=@)");
  private static final Pattern BEHIND_PATH = Pattern.compile("(?s)([?#])(.+)");

  private static final Pattern QUERY_IN_SENTENCE =
      Pattern.compile("(?i)(https?://[^?\\s]+\\?)(\\S+)");

  private SecretRedaction() {}

  /** Redacts a value, as required by its key. */
  public static String shown(String key, String value) {
    if (isSecretKey(key)) {
      return STARS;
    }
    String shown = value;
    for (Pattern user : USER_IN_VALUE) {
      shown = user.matcher(shown).replaceFirst(STARS);
    }
    boolean isHttpAddress = HTTP_ADDRESS_KEY.matcher(key).find();
    if (isHttpAddress) {
      shown = USER_WITHOUT_SCHEME.matcher(shown).replaceFirst(STARS);
    }
    Pattern query = isHttpAddress ? BEHIND_PATH : QUERY_IN_VALUE;
    shown = query.matcher(shown).replaceFirst(BEHIND_QUERY_MARK);
    return options(OPTION_IN_VALUE, shown);
  }

  /** Redacts a message. */
  public static String sentence(String text) {
    String shown = USER_IN_SENTENCE.matcher(text).replaceAll(STARS);
    shown = QUERY_IN_SENTENCE.matcher(shown).replaceAll(BEHIND_QUERY_MARK);
    return options(OPTION_IN_SENTENCE, shown);
  }

  /** Whether all values under this key are secret. The name of a file with a secret is not. */
  public static boolean isSecretKey(String key) {
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

  /** Finds the secret parts of a value that is otherwise safe to display. */
  public static List<String> hiddenIn(String value) {
    List<String> hidden = new ArrayList<>();
    for (Pattern user : USER_IN_VALUE) {
      Matcher found = user.matcher(value);
      if (found.find()) {
        String info = found.group(1);
        hidden.add(info);
        hidden.add(info.substring(info.indexOf(':') + 1));
      }
    }
    Matcher query = QUERY_IN_VALUE.matcher(value);
    if (query.find()) {
      hidden.add(query.group(2));
      for (String option : query.group(2).split("&", -1)) {
        hidden.add(option.substring(option.indexOf('=') + 1));
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

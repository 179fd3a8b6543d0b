package io.portcullis.backend.postgres.jdbc;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The login methods that the driver accepts, in the form of its option {@code requireAuth}: a list
 * of methods, or of methods with {@code !} before each to refuse them. The driver checks it before
 * it sends anything that was derived from the password.
 */
final class LoginMethods {
  static final String OPTION = "requireAuth";
  private static final String CLEAR_TEXT = "password";
  private static final String MD5 = "md5";
  private static final String STRONG = "scram-sha-256";

  private LoginMethods() {}

  /** The url's methods without those that reveal the password. */
  static String strong(JdbcUrl url, boolean allowsMd5) {
    List<String> weak = allowsMd5 ? List.of(CLEAR_TEXT) : List.of(CLEAR_TEXT, MD5);
    List<String> written =
        Arrays.stream(url.options().getOrDefault(OPTION, "").split(",", -1))
            .map(String::strip)
            .filter(method -> !method.isEmpty())
            .toList();
    boolean isListOfAllowed = written.stream().anyMatch(method -> !method.startsWith("!"));
    if (isListOfAllowed) {
      String left =
          written.stream().filter(each -> !weak.contains(each)).collect(Collectors.joining(","));
      return left.isEmpty() ? STRONG : left;
    }
    List<String> refused = new ArrayList<>(written);
    weak.stream()
        .map(each -> "!" + each)
        .filter(each -> !refused.contains(each))
        .forEach(refused::add);
    return String.join(",", refused);
  }
}

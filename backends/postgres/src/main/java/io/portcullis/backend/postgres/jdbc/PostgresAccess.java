package io.portcullis.backend.postgres.jdbc;

import io.portcullis.election.backend.Secret;
import io.portcullis.election.backend.Settings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Where the database is and as whom to speak to it.
 *
 * @param url where it is
 * @param user the role, null for the one in the url
 * @param password the password, null for none
 */
public record PostgresAccess(JdbcUrl url, @Nullable String user, @Nullable Secret password) {

  /** Reads {@code url}, {@code user} and {@code password}; null if the url was refused. */
  public static @Nullable PostgresAccess read(Settings settings) {
    Optional<String> user = settings.optionalText("user");
    Optional<Secret> password = settings.secret("password");
    String written = settings.text("url");
    if (written.isEmpty()) {
      return null; // Reported as missing.
    }
    JdbcUrl url;
    try {
      url = JdbcUrl.parse(written);
    } catch (IllegalArgumentException e) {
      settings.refuse("url", String.valueOf(e.getMessage()));
      return null;
    }
    if (user.isPresent() && url.options().containsKey("user")) {
      settings.refuse("user", "is set, but the url names a user too; name it in one place.");
    }
    if (user.isEmpty() && !url.options().containsKey("user")) {
      settings.refuse("user", "is missing; name the role.");
    }
    return new PostgresAccess(url, user.orElse(null), password.orElse(null));
  }

  /** As whom to speak. */
  public String role() {
    return user != null ? user : url.options().getOrDefault("user", "");
  }

  /** The same role at another database. */
  public PostgresAccess at(String host, int port, String database) {
    return new PostgresAccess(url.at(host, port, database), user, password);
  }

  /**
   * The same for a server that the url does not name: it may not ask for the password itself, nor,
   * unless allowed, for its MD5 hash, from which a password can be guessed. Over TLS that proves
   * the server's name the url's own rules stay as they are.
   */
  public PostgresAccess withoutWeakLogins(boolean allowsMd5) {
    return url.verifiesServer()
        ? this
        : new PostgresAccess(
            url.with(LoginMethods.OPTION, LoginMethods.strong(url, allowsMd5)), user, password);
  }

  /** Holds no secret. */
  @Override
  public String toString() {
    return url.withoutSecrets();
  }

  /**
   * The login methods that the driver accepts, in the form of its option {@code requireAuth}: a
   * list of methods, or of methods with {@code !} before each to refuse them. The driver checks it
   * before it sends anything that was derived from the password.
   */
  static final class LoginMethods {
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
}

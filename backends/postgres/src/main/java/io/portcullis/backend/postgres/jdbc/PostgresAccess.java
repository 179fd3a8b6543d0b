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
 * Address and credentials of a database.
 *
 * @param user the role, null to use the one in the url
 * @param password the password, null for none
 */
public record PostgresAccess(JdbcUrl url, @Nullable String user, @Nullable Secret password) {

  /** Reads {@code url}, {@code user} and {@code password}; returns null if the url is invalid. */
  public static @Nullable PostgresAccess read(Settings settings) {
    Optional<String> user = settings.optionalText("user");
    Optional<Secret> password = settings.secret("password");
    String urlText = settings.text("url");
    if (urlText.isEmpty()) {
      return null; // Reported as missing.
    }
    JdbcUrl url;
    try {
      url = JdbcUrl.parse(urlText);
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

  /** The role for the login. */
  public String role() {
    return user != null ? user : url.options().getOrDefault("user", "");
  }

  /** Returns the same credentials for another database. */
  public PostgresAccess at(String host, int port, String database) {
    return new PostgresAccess(url.at(host, port, database), user, password);
  }

  /**
   * Returns the access for a server that the url does not name. It refuses clear-text password
   * login and, unless the operator has named the host, MD5 login, because a password can be guessed
   * from its MD5 hash. If TLS proves that the server is a host that the operator has named, the
   * login methods of the url are kept. Proof of any other name is no reason to trust the server.
   */
  public PostgresAccess withoutWeakLogins(boolean hostIsNamed) {
    return hostIsNamed && url.verifiesServer()
        ? this
        : new PostgresAccess(
            url.with(LoginMethods.OPTION, LoginMethods.strong(url, hostIsNamed)), user, password);
  }

  /** The url without secrets. */
  @Override
  public String toString() {
    return url.withoutSecrets();
  }

  /**
   * Login methods that the driver accepts, as a value of its option {@code requireAuth}: either a
   * list of accepted methods, or a list of refused methods with {@code !} before each. The driver
   * checks them before it sends anything derived from the password.
   */
  static final class LoginMethods {
    static final String OPTION = "requireAuth";
    private static final String CLEAR_TEXT = "password";
    private static final String MD5 = "md5";
    private static final String STRONG = "scram-sha-256";

    private LoginMethods() {}

    /** Returns the url's methods without those that reveal the password. */
    static String strong(JdbcUrl url, boolean allowsMd5) {
      List<String> weak = allowsMd5 ? List.of(CLEAR_TEXT) : List.of(CLEAR_TEXT, MD5);
      List<String> configured =
          Arrays.stream(url.options().getOrDefault(OPTION, "").split(",", -1))
              .map(String::strip)
              .filter(method -> !method.isEmpty())
              .toList();
      boolean isListOfAllowed = configured.stream().anyMatch(method -> !method.startsWith("!"));
      if (isListOfAllowed) {
        String remaining =
            configured.stream()
                .filter(each -> !weak.contains(each))
                .collect(Collectors.joining(","));
        return remaining.isEmpty() ? STRONG : remaining;
      }
      List<String> refused = new ArrayList<>(configured);
      weak.stream()
          .map(each -> "!" + each)
          .filter(each -> !refused.contains(each))
          .forEach(refused::add);
      return String.join(",", refused);
    }
  }
}

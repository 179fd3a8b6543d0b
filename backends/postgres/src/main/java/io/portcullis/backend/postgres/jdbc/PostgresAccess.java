package io.portcullis.backend.postgres.jdbc;

import io.portcullis.election.backend.Secret;
import io.portcullis.election.backend.Settings;
import java.util.Optional;
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
}

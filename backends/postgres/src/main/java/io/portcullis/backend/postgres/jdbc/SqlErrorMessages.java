package io.portcullis.backend.postgres.jdbc;

import io.portcullis.election.backend.Secret;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.util.Map;

/**
 * Turns failures into sentences that name the place and the remedy, and tell no secret.
 *
 * @param access the database
 * @param known what to say of an SQL state, as far as the server's own words need more
 */
public record SqlErrorMessages(PostgresAccess access, Map<String, String> known) {

  /** What has happened. */
  public String of(SQLException failure) {
    String state = String.valueOf(failure.getSQLState());
    String said = redacted(String.valueOf(failure.getMessage()));
    if (failure instanceof SQLWarning) {
      return at("warned, so that nobody knows whether the change will last: " + said);
    }
    String sentence = known.get(state);
    if (sentence != null) {
      return at(sentence + " (" + said + ")");
    }
    return state.startsWith("08")
        ? at("can't be reached: " + said + because(failure))
        : at("answered: " + said);
  }

  /** What the driver leaves unsaid: an unknown host, a time-out. */
  private static String because(SQLException failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root == failure
        ? ""
        : " (" + root.getClass().getSimpleName() + ": " + root.getMessage() + ")";
  }

  /** A sentence about this database. */
  public String at(String what) {
    return "Postgres at " + access + ": " + what;
  }

  private String redacted(String said) {
    Secret password = access.password();
    String secret = password == null ? "" : password.current();
    return secret.isEmpty() ? said : said.replace(secret, "***");
  }
}

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

  /** The statement that repairs an epoch, in the table of leases and in that of a fence. */
  public static final class EpochRepair {
    private EpochRepair() {}

    /**
     * Sets the epoch to the present Unix second. Every epoch that was ever granted lies below that,
     * as long as there was less than one grant a second, so that no earlier holder matches the row
     * again.
     *
     * @param table as it stands in a statement
     */
    public static String statement(String table, String scope) {
      return "UPDATE "
          + table
          + " SET epoch = extract(epoch FROM clock_timestamp())::bigint WHERE scope = '"
          + scope.replace("'", "''")
          + "';";
    }
  }
}

package io.portcullis.backend.postgres.jdbc;

import io.portcullis.election.backend.Secret;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.util.Map;

/**
 * Builds error messages that name the database and a remedy. Messages contain no secrets.
 *
 * @param access the database
 * @param known explanations by SQL state, for errors whose server message is not sufficient
 */
public record SqlErrorMessages(PostgresAccess access, Map<String, String> known) {

  /** Returns the message for a failure. */
  public String of(SQLException failure) {
    String state = String.valueOf(failure.getSQLState());
    String message = redacted(String.valueOf(failure.getMessage()));
    if (failure instanceof SQLWarning) {
      return at("returned a warning, so it is unknown whether the change is durable: " + message);
    }
    String sentence = known.get(state);
    if (sentence != null) {
      return at(sentence + " (" + message + ")");
    }
    return state.startsWith("08")
        ? at("can't be reached: " + message + rootCause(failure))
        : at("returned an error: " + message);
  }

  /** The root cause, such as an unknown host or a timeout; missing in the driver's message. */
  private static String rootCause(SQLException failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root == failure
        ? ""
        : " (" + root.getClass().getSimpleName() + ": " + root.getMessage() + ")";
  }

  /** Prefixes a message with the address of the database. */
  public String at(String what) {
    return "Postgres at " + access + ": " + what;
  }

  private String redacted(String message) {
    Secret password = access.password();
    String secret = password == null ? "" : password.current();
    return secret.isEmpty() ? message : message.replace(secret, "***");
  }

  /** SQL statement that repairs an epoch, in the lease table or the fence table. */
  public static final class EpochRepair {
    private EpochRepair() {}

    /**
     * Returns a statement that sets the epoch to the current Unix second. Every epoch granted so
     * far is lower, provided there was less than one grant per second, so no earlier holder matches
     * the row again.
     *
     * @param table the quoted table name
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

package io.portcullis.backend.postgres;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;

/**
 * Identifies an incarnation of the database. A new incarnation may have lost acknowledged commits.
 *
 * <p>A restart is not a new incarnation, since every commit of this backend is flushed ({@code
 * synchronous_commit = on}) before it is acknowledged. A promoted replica is one, because it may
 * lack the last commits: it has another timeline. Another cluster is one too, by its system
 * identifier. With {@code fsync = off} every start of the server is one, since a crash of the host
 * may have undone any commit.
 *
 * <p>If the role may not call the required functions, all incarnations look the same: nodes that
 * have seen a higher epoch still detect lost commits, but newly started nodes do not.
 */
final class DatabaseIncarnation {
  private static final String INCARNATION_SQL =
      "CASE WHEN pg_is_in_recovery() THEN NULL ELSE"
          + " (SELECT c.system_identifier::text FROM pg_control_system() c)"
          + " || '/' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)"
          + " || CASE current_setting('fsync') WHEN 'off'"
          + " THEN '/' || extract(epoch FROM pg_postmaster_start_time())::text ELSE '' END END";
  private static final String NO_INCARNATION_SQL =
      "CASE WHEN pg_is_in_recovery() THEN NULL ELSE 'unknown' END";

  /** SQL states: not permitted, no such function, not supported. */
  private static final Set<String> UNAVAILABLE_STATES = Set.of("42501", "42883", "0A000");

  private final PostgresServerWarnings warnings;
  private volatile String expression = INCARNATION_SQL;

  DatabaseIncarnation(PostgresServerWarnings warnings) {
    this.warnings = warnings;
  }

  /** SQL expression of the incarnation; its value is null while the server is in recovery. */
  String expression() {
    return expression;
  }

  /** Checks whether this server reports its incarnation. */
  void probe(Connection connection) throws SQLException {
    if (expression.equals(NO_INCARNATION_SQL)) {
      return;
    }
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("SELECT " + INCARNATION_SQL)) {
      result.next();
    } catch (SQLException e) {
      if (!UNAVAILABLE_STATES.contains(String.valueOf(e.getSQLState()))) {
        throw e;
      }
      expression = NO_INCARNATION_SQL;
      warnings.onIncarnationUnknown(e);
    }
  }
}

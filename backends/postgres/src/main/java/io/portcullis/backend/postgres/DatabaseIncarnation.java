package io.portcullis.backend.postgres;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;

/**
 * How to tell one life of the database from another: in a new one it may have forgotten what it
 * acknowledged.
 *
 * <p>A restart is not a new life, since every commit of ours is flushed ({@code synchronous_commit
 * = on}) before it is answered. A promoted replica is, because it may lack the last commits: its
 * timeline differs. So is another cluster, by its system identifier. With {@code fsync = off} every
 * start of the server is, since then a crash of the host may have undone anything.
 *
 * <p>Where the role may not call the functions that tell, all lives look the same: nodes that have
 * seen a higher epoch still notice a memory that went back, but newly started ones do not.
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

  /** Not permitted; no such function; not supported here. */
  private static final Set<String> UNAVAILABLE_STATES = Set.of("42501", "42883", "0A000");

  private final PostgresServerWarnings warnings;
  private volatile String expression = INCARNATION_SQL;

  DatabaseIncarnation(PostgresServerWarnings notices) {
    this.warnings = notices;
  }

  /** What to select; null while the server is in recovery. */
  String expression() {
    return expression;
  }

  /** Finds out whether this server tells. */
  void probe(Connection connection) throws SQLException {
    if (expression.equals(NO_INCARNATION_SQL)) {
      return;
    }
    try (Statement statement = connection.createStatement();
        ResultSet told = statement.executeQuery("SELECT " + INCARNATION_SQL)) {
      told.next();
    } catch (SQLException e) {
      if (!UNAVAILABLE_STATES.contains(String.valueOf(e.getSQLState()))) {
        throw e;
      }
      expression = NO_INCARNATION_SQL;
      warnings.onIncarnationUnknown(e);
    }
  }
}

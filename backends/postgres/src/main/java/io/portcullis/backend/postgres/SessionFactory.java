package io.portcullis.backend.postgres;

import io.portcullis.backend.postgres.jdbc.JdbcConnector.SettingsStatement;
import io.portcullis.backend.postgres.jdbc.UnusableServerException;
import io.portcullis.election.config.Timing;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;

/** Opens the dedicated session and checks that no pooler is in between and privileges suffice. */
final class SessionFactory {
  private static final int POOLER_CHECK_ROUNDS = 5;

  private final PostgresStorePlan plan;
  private final ConnectionFactory connections;
  private final LeaseSql sql;
  private final PostgresServerWarnings warnings;
  private final SessionSettings settings;

  SessionFactory(
      PostgresStorePlan plan,
      ConnectionFactory connections,
      LeaseSql sql,
      PostgresServerWarnings warnings) {
    this.plan = plan;
    this.connections = connections;
    this.sql = sql;
    this.warnings = warnings;
    this.settings = new SessionSettings(plan.timing());
  }

  LockSession open() throws SQLException, UnusableServerException {
    Connection connection = connections.openForSession();
    try {
      int pid = pid(connection);
      ensureOwnBackend(connection, pid);
      apply(
          settings.statement(),
          connection); // After the check: a pooler's backend must not be changed.
      String incarnation = LeaseRowReader.incarnation(connection, connections.incarnation());
      PrivilegeCheck.check(connection, plan);
      warnings.onOpened(connection);
      return new LockSession(plan, connection, sql, pid, incarnation);
    } catch (SQLException | UnusableServerException | RuntimeException e) {
      ConnectionFactory.closeQuietly(connection);
      throw e;
    }
  }

  /**
   * Detects a transaction pooler, which gives the backend of an idle session to another client and
   * later serves the session with another backend. A second connection opens a transaction: it must
   * not be served by the session's backend, and the session must still be served by it afterwards.
   * Repeated several times, because other clients may interfere.
   */
  private void ensureOwnBackend(Connection connection, int pid)
      throws SQLException, UnusableServerException {
    Connection other = connections.openForReading();
    try {
      other.setAutoCommit(false);
      for (int i = 0; i < POOLER_CHECK_ROUNDS; i++) {
        if (pid(connection) != pid || pid(other) == pid || pid(connection) != pid) {
          throw new UnusableServerException.PooledConnectionException();
        }
        other.rollback();
      }
    } finally {
      ConnectionFactory.closeQuietly(other);
    }
  }

  private static void apply(String setting, Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(setting);
    }
  }

  private static int pid(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery("SELECT pg_backend_pid()")) {
      found.next();
      return found.getInt(1);
    }
  }

  /**
   * Server settings of the dedicated session; they override the defaults of database, role and
   * server.
   */
  static final class SessionSettings {
    private final String statement;

    SessionSettings(Timing timing) {
      long leaseMillis = timing.lease().toMillis();
      long leaseSeconds = Math.max(1, timing.lease().toSeconds());
      Map<String, String> values = new LinkedHashMap<>();
      // With off, a crash of the server could lead to the same epoch twice.
      values.put("synchronous_commit", "on");
      // A cancelled wait for a synchronous replica reports success, so timeouts are disabled.
      values.put("statement_timeout", "0");
      values.put("transaction_timeout", "0");
      values.put("idle_in_transaction_session_timeout", "0");
      values.put("idle_session_timeout", "0");
      // A statement that waits for a row lock has changed nothing, so it may time out.
      values.put("lock_timeout", Long.toString(2 * leaseMillis));
      values.put("default_transaction_isolation", "read committed");
      values.put("client_min_messages", "warning");
      // The server closes a session whose host is gone.
      values.put("tcp_keepalives_idle", Long.toString(Math.max(1, leaseSeconds / 3)));
      values.put("tcp_keepalives_interval", Long.toString(Math.max(1, leaseSeconds / 3)));
      values.put("tcp_keepalives_count", "3");
      values.put("tcp_user_timeout", Long.toString(leaseMillis));
      statement = SettingsStatement.of(values, false);
    }

    /** Returns one statement that sets all values. */
    String statement() {
      return statement;
    }
  }
}

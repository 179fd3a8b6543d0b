package io.portcullis.backend.postgres;

import io.portcullis.backend.postgres.jdbc.SettingsStatement;
import io.portcullis.backend.postgres.jdbc.UnusableServerException;
import io.portcullis.election.config.Timing;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;

/** Opens the dedicated session and makes sure that it can be relied on. */
final class SessionFactory {
  private static final int POOLER_CHECK_ROUNDS = 5;

  private final PostgresStorePlan plan;
  private final ConnectionFactory connections;
  private final LeaseSql sql;
  private final PostgresServerWarnings warnings;
  private final SessionSettings settings;

  SessionFactory(
      PostgresStorePlan plan,
      ConnectionFactory dialer,
      LeaseSql sql,
      PostgresServerWarnings notices) {
    this.plan = plan;
    this.connections = dialer;
    this.sql = sql;
    this.warnings = notices;
    this.settings = new SessionSettings(plan.timing());
  }

  LockSession open() throws SQLException, UnusableServerException {
    Connection connection = connections.openForSession();
    try {
      int pid = pid(connection);
      ensureOwnBackend(connection, pid);
      apply(settings.statement(), connection); // Not before: a lent backend is not ours to change.
      String life = LeaseRowReader.incarnation(connection, connections.incarnation());
      PrivilegeCheck.check(connection, plan);
      warnings.onOpened(connection);
      return new LockSession(plan, connection, sql, pid, life);
    } catch (SQLException | UnusableServerException | RuntimeException e) {
      ConnectionFactory.closeQuietly(connection);
      throw e;
    }
  }

  /**
   * A pooler that lends backends for a transaction gives an idle session's backend to somebody
   * else, and the session another one. So a second connection opens a transaction: it must not be
   * served by our backend, and we must still be served by it afterwards. More than once, since
   * third parties may come between.
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
   * What the dedicated session sets for itself, whatever the database, the role or the server have
   * as their defaults.
   */
  static final class SessionSettings {
    private final String statement;

    SessionSettings(Timing timing) {
      long leaseMillis = timing.lease().toMillis();
      long leaseSeconds = Math.max(1, timing.lease().toSeconds());
      Map<String, String> values = new LinkedHashMap<>();
      // With off a crash of the server gives the same epoch twice.
      values.put("synchronous_commit", "on");
      // A cancelled wait for a synchronous replica reports success: nothing may be cancelled by
      // time.
      values.put("statement_timeout", "0");
      values.put("transaction_timeout", "0");
      values.put("idle_in_transaction_session_timeout", "0");
      values.put("idle_session_timeout", "0");
      // A statement that waits for a row has changed nothing yet; none waits longer than a session.
      values.put("lock_timeout", Long.toString(2 * leaseMillis));
      values.put("default_transaction_isolation", "read committed");
      values.put("client_min_messages", "warning");
      // The server lets go of a session whose host is gone.
      values.put("tcp_keepalives_idle", Long.toString(Math.max(1, leaseSeconds / 3)));
      values.put("tcp_keepalives_interval", Long.toString(Math.max(1, leaseSeconds / 3)));
      values.put("tcp_keepalives_count", "3");
      values.put("tcp_user_timeout", Long.toString(leaseMillis));
      statement = SettingsStatement.of(values, false);
    }

    /** One statement that sets them all. */
    String statement() {
      return statement;
    }
  }
}

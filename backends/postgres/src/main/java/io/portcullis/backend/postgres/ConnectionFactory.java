package io.portcullis.backend.postgres;

import io.portcullis.backend.postgres.jdbc.JdbcConnector;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** Opens an election's connections, each with limits that suit what it is for. */
final class ConnectionFactory {
  private static final Duration MIN_CONNECT_TIMEOUT = Duration.ofSeconds(1);

  private final PostgresStorePlan plan;
  private final String node;
  private final DatabaseIncarnation incarnation;
  private final JdbcConnector connector;

  ConnectionFactory(PostgresStorePlan plan, String node, PostgresServerWarnings notices) {
    this.plan = plan;
    this.node = node;
    this.incarnation = new DatabaseIncarnation(notices);
    this.connector = new JdbcConnector(plan.access());
  }

  DatabaseIncarnation incarnation() {
    return incarnation;
  }

  /** For the lock and the heartbeat; how long a statement may take there is up to the session. */
  Connection openForSession() throws SQLException {
    return open("", plan.timing().askTimeout());
  }

  /** For reads whose answer is of no use after a while. */
  Connection openForReading() throws SQLException {
    return open(" read", plan.timing().askTimeout());
  }

  /** For LISTEN. */
  Connection openForNotifications() throws SQLException {
    return open(" listen", plan.timing().lease().multipliedBy(2));
  }

  private Connection open(String purpose, Duration patience) throws SQLException {
    Duration ask = plan.timing().askTimeout();
    Connection connection =
        connector.open(
            "portcullis " + plan.scope() + purpose + " " + node,
            ask.compareTo(MIN_CONNECT_TIMEOUT) > 0 ? ask : MIN_CONNECT_TIMEOUT,
            patience);
    try {
      incarnation.probe(connection);
      return connection;
    } catch (SQLException | RuntimeException e) {
      closeQuietly(connection);
      throw e;
    }
  }

  /** Closes, whatever state it is in. */
  static void closeQuietly(Connection connection) {
    JdbcConnector.closeQuietly(connection);
  }
}

package io.portcullis.backend.postgres;

import io.portcullis.backend.postgres.jdbc.JdbcConnector;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** Opens an election's connections, with timeouts according to their purpose. */
final class ConnectionFactory {
  private static final Duration MIN_CONNECT_TIMEOUT = Duration.ofSeconds(1);

  private final PostgresStorePlan plan;
  private final String node;
  private final DatabaseIncarnation incarnation;
  private final JdbcConnector connector;

  ConnectionFactory(PostgresStorePlan plan, String node, PostgresServerWarnings warnings) {
    this.plan = plan;
    this.node = node;
    this.incarnation = new DatabaseIncarnation(warnings);
    this.connector = new JdbcConnector(plan.access());
  }

  DatabaseIncarnation incarnation() {
    return incarnation;
  }

  /** Opens a connection for lock and heartbeat; {@link LockSession} changes its timeout. */
  Connection openForSession() throws SQLException {
    return open("", plan.timing().askTimeout());
  }

  Connection openForReading() throws SQLException {
    return open(" read", plan.timing().askTimeout());
  }

  /** Opens a connection for LISTEN. */
  Connection openForNotifications() throws SQLException {
    return open(" listen", plan.timing().lease().multipliedBy(2));
  }

  private Connection open(String purpose, Duration networkTimeout) throws SQLException {
    Duration ask = plan.timing().askTimeout();
    Connection connection =
        connector.open(
            "portcullis " + plan.scope() + purpose + " " + node,
            ask.compareTo(MIN_CONNECT_TIMEOUT) > 0 ? ask : MIN_CONNECT_TIMEOUT,
            networkTimeout);
    try {
      incarnation.probe(connection);
      return connection;
    } catch (SQLException | RuntimeException e) {
      closeQuietly(connection);
      throw e;
    }
  }

  /** Closes a connection and ignores errors. */
  static void closeQuietly(Connection connection) {
    JdbcConnector.closeQuietly(connection);
  }
}

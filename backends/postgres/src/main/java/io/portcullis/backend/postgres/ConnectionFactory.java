package io.portcullis.backend.postgres;

import io.portcullis.backend.postgres.jdbc.JdbcConnector;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** Opens an election's connections, each with limits that suit what it is for. */
final class ConnectionFactory {
  private static final Duration MIN_CONNECT = Duration.ofSeconds(1);

  private final PostgresStorePlan plan;
  private final String node;
  private final DatabaseIncarnation life;
  private final JdbcConnector exchange;

  ConnectionFactory(PostgresStorePlan plan, String node, PostgresServerWarnings notices) {
    this.plan = plan;
    this.node = node;
    this.life = new DatabaseIncarnation(notices);
    this.exchange = new JdbcConnector(plan.access());
  }

  DatabaseIncarnation life() {
    return life;
  }

  /** For the lock and the heartbeat; how long a statement may take there is up to the session. */
  Connection dialSession() throws SQLException {
    return dial("", plan.timing().askTimeout());
  }

  /** For reads whose answer is of no use after a while. */
  Connection dialForReading() throws SQLException {
    return dial(" read", plan.timing().askTimeout());
  }

  /** For LISTEN. */
  Connection dialForNews() throws SQLException {
    return dial(" listen", plan.timing().lease().multipliedBy(2));
  }

  private Connection dial(String purpose, Duration patience) throws SQLException {
    Duration ask = plan.timing().askTimeout();
    Connection connection =
        exchange.dial(
            "portcullis " + plan.scope() + purpose + " " + node,
            ask.compareTo(MIN_CONNECT) > 0 ? ask : MIN_CONNECT,
            patience);
    try {
      life.probe(connection);
      return connection;
    } catch (SQLException | RuntimeException e) {
      hangUp(connection);
      throw e;
    }
  }

  /** Closes, whatever state it is in. */
  static void hangUp(Connection connection) {
    JdbcConnector.hangUp(connection);
  }
}

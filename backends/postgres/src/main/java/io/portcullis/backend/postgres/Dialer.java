package io.portcullis.backend.postgres;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections. Each has limits of its own, so that no read lasts for ever, and none ever
 * sends a statement twice.
 */
final class Dialer {
  private static final Duration SHORTEST_CONNECT = Duration.ofSeconds(1);

  /** A role that was not let in is not let in a moment later: databases log and count that. */
  private static final Duration AFTER_REFUSED_LOGIN = Duration.ofSeconds(5);

  private final PostgresPlan plan;
  private final String node;
  private final Life life;
  private volatile @Nullable RefusedLogin refused;

  /** A login that failed, and when. */
  private record RefusedLogin(SQLException why, long atNanos) {}

  Dialer(PostgresPlan plan, String node, Notices notices) {
    this.plan = plan;
    this.node = node;
    this.life = new Life(notices);
  }

  Life life() {
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
    Properties properties = new Properties();
    Access access = plan.access();
    if (access.user() != null) {
      properties.setProperty("user", access.user());
    }
    if (access.password() != null) {
      properties.setProperty("password", access.password().current());
    }
    Duration ask = plan.timing().askTimeout();
    long connect = seconds(ask.compareTo(SHORTEST_CONNECT) > 0 ? ask : SHORTEST_CONNECT);
    properties.setProperty("connectTimeout", Long.toString(connect));
    properties.setProperty("socketTimeout", Long.toString(seconds(patience)));
    properties.setProperty("tcpKeepAlive", "true");
    properties.setProperty("ApplicationName", "portcullis " + plan.scope() + purpose + " " + node);
    properties.setProperty("prepareThreshold", "0"); // A changed table must not need a new session.
    if (access.url().hasSeveralHosts()) {
      properties.setProperty("targetServerType", "primary");
      properties.setProperty("hostRecheckSeconds", "1");
    }
    Connection connection = connect(access, properties);
    try {
      // In milliseconds at last; the driver's own setting has whole seconds only.
      connection.setNetworkTimeout(Runnable::run, (int) patience.toMillis());
      life.probe(connection);
      return connection;
    } catch (SQLException | RuntimeException e) {
      hangUp(connection);
      throw e;
    }
  }

  private Connection connect(Access access, Properties properties) throws SQLException {
    RefusedLogin before = refused;
    if (before != null && System.nanoTime() - before.atNanos() < AFTER_REFUSED_LOGIN.toNanos()) {
      throw before.why();
    }
    try {
      Connection connection = Client.DRIVER.connect(access.url().url(), properties);
      if (connection == null) {
        throw new SQLException("the driver does not know this url: " + access, "08001");
      }
      refused = null;
      return connection;
    } catch (SQLException e) {
      if (String.valueOf(e.getSQLState()).startsWith("28")) {
        refused = new RefusedLogin(e, System.nanoTime());
      }
      throw e;
    }
  }

  private static long seconds(Duration duration) {
    return Math.max(1, duration.plusMillis(999).toSeconds());
  }

  /** Closes, whatever state it is in. */
  static void hangUp(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      return; // It is gone either way.
    }
  }

  /** Loaded with the first connection, not before. */
  private static final class Client {
    static final Driver DRIVER = new org.postgresql.Driver();
  }
}

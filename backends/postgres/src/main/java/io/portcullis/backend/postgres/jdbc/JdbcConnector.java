package io.portcullis.backend.postgres.jdbc;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections to one database. Each has limits of its own, so that no read lasts for ever,
 * and none ever sends a statement twice. Any thread may ask.
 */
public final class JdbcConnector {
  /** A role that was not let in is not let in a moment later: databases log and count that. */
  private static final Duration REFUSED_LOGIN_PAUSE = Duration.ofSeconds(5);

  private final PostgresAccess access;
  private volatile @Nullable RefusedLogin refused;

  /** A login that failed, and when. */
  private record RefusedLogin(SQLException why, long atNanos) {}

  /** To this database. */
  public JdbcConnector(PostgresAccess access) {
    this.access = access;
  }

  /**
   * A new connection.
   *
   * @param application for people who look at the server's sessions
   * @param connecting how long it may take to make
   * @param patience how long an answer may take afterwards
   */
  public Connection open(String application, Duration connecting, Duration patience)
      throws SQLException {
    Properties properties = new Properties();
    if (access.user() != null) {
      properties.setProperty("user", access.user());
    }
    if (access.password() != null) {
      properties.setProperty("password", access.password().current());
    }
    properties.setProperty("connectTimeout", Long.toString(seconds(connecting)));
    properties.setProperty("socketTimeout", Long.toString(seconds(patience)));
    properties.setProperty("tcpKeepAlive", "true");
    properties.setProperty("ApplicationName", application);
    properties.setProperty("prepareThreshold", "0"); // A changed table must not need a new session.
    if (access.url().hasSeveralHosts()) {
      properties.setProperty("targetServerType", "primary");
      properties.setProperty("hostRecheckSeconds", "1");
    }
    Connection connection = connect(properties);
    try {
      // In milliseconds at last; the driver's own setting has whole seconds only.
      connection.setNetworkTimeout(Runnable::run, (int) patience.toMillis());
      return connection;
    } catch (SQLException | RuntimeException e) {
      closeQuietly(connection);
      throw e;
    }
  }

  private Connection connect(Properties properties) throws SQLException {
    RefusedLogin before = refused;
    if (before != null && System.nanoTime() - before.atNanos() < REFUSED_LOGIN_PAUSE.toNanos()) {
      throw before.why();
    }
    try {
      Connection connection = DriverHolder.DRIVER.connect(access.url().url(), properties);
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
  public static void closeQuietly(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      return; // It is gone either way.
    }
  }

  /** Loaded with the first connection, not before. */
  private static final class DriverHolder {
    static final Driver DRIVER = new org.postgresql.Driver();
  }
}

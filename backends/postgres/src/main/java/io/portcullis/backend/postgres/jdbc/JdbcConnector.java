package io.portcullis.backend.postgres.jdbc;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections to one database. Each connection has its own timeouts, so that no read blocks
 * forever, and never sends a statement twice. Thread-safe.
 */
public final class JdbcConnector {
  /** Minimum time between logins after a refused one: servers log and count failed logins. */
  private static final Duration REFUSED_LOGIN_PAUSE = Duration.ofSeconds(5);

  private final PostgresAccess access;
  private volatile @Nullable RefusedLogin refused;

  /** A failed login and its time. */
  private record RefusedLogin(SQLException why, long atNanos) {}

  /** Creates a connector for this database. */
  public JdbcConnector(PostgresAccess access) {
    this.access = access;
  }

  /**
   * Opens a connection.
   *
   * @param application the session's application name, shown in the server's session list
   * @param connectTimeout maximum time to connect
   * @param networkTimeout maximum time for each response afterwards
   */
  public Connection open(String application, Duration connectTimeout, Duration networkTimeout)
      throws SQLException {
    Properties properties = new Properties();
    if (access.user() != null) {
      properties.setProperty("user", access.user());
    }
    if (access.password() != null) {
      properties.setProperty("password", access.password().current());
    }
    properties.setProperty("connectTimeout", Long.toString(seconds(connectTimeout)));
    properties.setProperty("socketTimeout", Long.toString(seconds(networkTimeout)));
    properties.setProperty("tcpKeepAlive", "true");
    properties.setProperty("ApplicationName", application);
    properties.setProperty(
        "prepareThreshold", "0"); // Prepared statements break if the table is changed.
    if (access.url().hasSeveralHosts()) {
      properties.setProperty("targetServerType", "primary");
      properties.setProperty("hostRecheckSeconds", "1");
    }
    Connection connection = connect(properties);
    try {
      // Replaces socketTimeout, which has a resolution of seconds.
      connection.setNetworkTimeout(Runnable::run, (int) networkTimeout.toMillis());
      return connection;
    } catch (SQLException | RuntimeException e) {
      closeQuietly(connection);
      throw e;
    }
  }

  private Connection connect(Properties properties) throws SQLException {
    RefusedLogin last = refused;
    if (last != null && System.nanoTime() - last.atNanos() < REFUSED_LOGIN_PAUSE.toNanos()) {
      throw last.why();
    }
    try {
      Connection connection = DriverHolder.DRIVER.connect(access.url().url(), properties);
      if (connection == null) {
        throw new SQLException("the driver does not support this url: " + access, "08001");
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

  /** Closes a connection and ignores errors. */
  public static void closeQuietly(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      return; // The connection is unusable either way.
    }
  }

  /** Loads the driver lazily, with the first connection. */
  private static final class DriverHolder {
    static final Driver DRIVER = new org.postgresql.Driver();
  }

  /** Builds one SQL statement that sets several server settings. */
  public static final class SettingsStatement {
    private SettingsStatement() {}

    /**
     * Builds the statement. Settings that the server's version does not have are skipped.
     *
     * @param local whether the settings apply to the current transaction only
     */
    public static String of(Map<String, String> values, boolean local) {
      return "SELECT pg_catalog.set_config(s.name, v.value, "
          + local
          + ") FROM (VALUES "
          + values.entrySet().stream()
              .map(each -> "('" + each.getKey() + "', '" + each.getValue() + "')")
              .collect(Collectors.joining(", "))
          + ") v (name, value) JOIN pg_catalog.pg_settings s"
          + " ON s.name OPERATOR(pg_catalog.=) v.name";
    }
  }
}

package io.portcullis.backend.postgres.quiet;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.util.Collections;
import java.util.Enumeration;

/** Stands in for {@code java.sql.DriverManager}: knows no driver and keeps none. */
public final class DriverManager {
  private DriverManager() {}

  /** Keeps nothing. */
  public static void registerDriver(Driver driver) {}

  /** There is nothing to forget. */
  public static void deregisterDriver(Driver driver) {}

  /** Knows none. */
  public static Driver getDriver(String url) throws SQLException {
    throw new SQLException("no driver is registered here");
  }

  /** Knows none. */
  public static Enumeration<Driver> getDrivers() {
    return Collections.emptyEnumeration();
  }

  /** Connections are opened by the driver itself. */
  public static Connection getConnection(String url, String user, String password)
      throws SQLException {
    throw new SQLException("no driver is registered here");
  }

  /** No limit: each connection has its own. */
  public static int getLoginTimeout() {
    return 0;
  }

  /** Nobody else's limit is touched. */
  public static void setLoginTimeout(int seconds) {}
}

package io.portcullis.backend.postgres.quiet;

import java.sql.Driver;

/**
 * Stands in for {@code java.sql.DriverManager} with what is called when connections are opened by
 * the driver itself: it keeps no driver.
 */
public final class Drivers {
  private Drivers() {}

  /** Keeps nothing. */
  public static void registerDriver(Driver driver) {}

  /** There is nothing to forget. */
  public static void deregisterDriver(Driver driver) {}

  /** No limit: each connection has its own. */
  public static int getLoginTimeout() {
    return 0;
  }

  /** Nobody else's limit is touched. */
  public static void setLoginTimeout(int seconds) {}
}

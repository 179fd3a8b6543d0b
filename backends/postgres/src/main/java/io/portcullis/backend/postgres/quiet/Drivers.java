package io.portcullis.backend.postgres.quiet;

import java.sql.Driver;

/**
 * Replacement for {@code java.sql.DriverManager} inside the agent. Has the methods that the driver
 * and the pool call, and registers nothing.
 */
public final class Drivers {
  private Drivers() {}

  /** Does nothing. */
  public static void registerDriver(Driver driver) {}

  /** Does nothing, since no driver is registered. */
  public static void deregisterDriver(Driver driver) {}

  /** Returns 0, no limit: each connection has its own timeouts. */
  public static int getLoginTimeout() {
    return 0;
  }

  /** Does nothing: the global limit belongs to the application. */
  public static void setLoginTimeout(int seconds) {}
}

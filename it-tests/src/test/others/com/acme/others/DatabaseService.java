package com.acme.others;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.lang.reflect.Field;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Uses a driver and a pool that the agent also contains, in other versions. */
public final class DatabaseService {
  private static final CountDownLatch NEVER = new CountDownLatch(1);

  private DatabaseService() {}

  public static void main(String[] args) throws Exception {
    while (!works()) {
      NEVER.await(100, TimeUnit.MILLISECONDS);
    }
    try (Connection connection = DriverManager.getConnection(args[0], "postgres", "")) {
      System.out.println("driver manager: " + versionSeenBy(connection));
    }
    System.out.println("login timeout: " + DriverManager.getLoginTimeout());
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(args[0]);
    config.setUsername("postgres");
    config.setMaximumPoolSize(1);
    try (HikariDataSource pool = new HikariDataSource(config);
        Connection connection = pool.getConnection()) {
      System.out.println("pool: " + versionSeenBy(connection) + " " + Origin.of(pool.getClass()));
    }
    for (Driver driver : registered()) {
      System.out.println("driver: " + driver.getClass().getName() + " " + Origin.of(driver.getClass()));
    }
    System.out.println("drivers: " + registered().size());
    NEVER.await();
  }

  /** All drivers, including those that are hidden from callers here. */
  private static Collection<Driver> registered() throws ReflectiveOperationException {
    Field all = DriverManager.class.getDeclaredField("registeredDrivers");
    all.setAccessible(true);
    Collection<Driver> drivers = new ArrayList<>();
    for (Object info : (Collection<?>) all.get(null)) {
      Field driver = info.getClass().getDeclaredField("driver");
      driver.setAccessible(true);
      drivers.add((Driver) driver.get(info));
    }
    return drivers;
  }

  private static String versionSeenBy(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet one = statement.executeQuery("SELECT 1")) {
      one.next();
      return one.getInt(1) + " by " + connection.getMetaData().getDriverVersion();
    }
  }

  private static boolean works() {
    try {
      work();
      return true;
    } catch (IllegalStateException e) {
      return false;
    }
  }

  static void work() {}
}

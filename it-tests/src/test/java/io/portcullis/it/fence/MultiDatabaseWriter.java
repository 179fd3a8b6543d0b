package io.portcullis.it.fence;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A service that writes repeatedly to every database in its arguments. */
public final class MultiDatabaseWriter {
  private static final long PAUSE_MILLIS = 100;

  private MultiDatabaseWriter() {}

  /** Arguments: the user, then the URLs. */
  public static void main(String[] args) {
    Thread thread = new Thread(() -> writeAll(args), "visitor");
    thread.start();
    System.out.println("open");
  }

  private static void writeAll(String[] args) {
    while (true) {
      for (int i = 1; i < args.length; i++) {
        write(args[i], args[0]);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS));
      }
    }
  }

  private static void write(String url, String user) {
    try (Connection connection = DriverManager.getConnection(url, user, "visitors-own-password");
        Statement statement = connection.createStatement()) {
      statement.execute("insert into visits values (1)");
      System.out.println("wrote to " + url);
    } catch (SQLException | RuntimeException e) {
      System.out.println("failed at " + url + ": " + e.getMessage());
    }
  }
}

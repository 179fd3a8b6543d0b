package io.portcullis.it.fence;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;

/**
 * A service that writes one entry outside any gated method, prints the outcome, and keeps running.
 */
public final class UngatedWriter {
  private UngatedWriter() {}

  /** Arguments: URL, user. */
  public static void main(String[] args) throws SQLException, InterruptedException {
    try (Connection connection = DriverManager.getConnection(args[0], args[1], "")) {
      System.out.println("connected by " + connection.getClass().getName());
      try (Statement statement = connection.createStatement()) {
        statement.executeUpdate("insert into entries (writer, epoch) values ('ungated', 0)");
        System.out.println("written");
      } catch (SQLException | RuntimeException e) {
        System.out.println("refused: " + e.getClass().getName());
      }
      new CountDownLatch(1).await();
    }
  }
}

package com.acme.web;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The work of the web application. */
final class WebTasks {
  private static final ConcurrentLinkedQueue<CompletableFuture<String>> OPEN =
      new ConcurrentLinkedQueue<>();

  private WebTasks() {}

  /** Gated. */
  static String work() {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.executeUpdate("insert into visits values (1)");
      return "done";
    } catch (SQLException e) {
      return e.toString();
    }
  }

  /** Reads at startup like many applications, on a leader and on a standby. */
  static void read() throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.executeQuery("select count(*) from visits").close();
    }
  }

  private static Connection connect() throws SQLException {
    return DriverManager.getConnection(
        System.getProperty("app.url"), System.getProperty("app.user"), "");
  }

  /** Never completed: a redeployment does not wait for it. */
  static CompletableFuture<String> promise() {
    CompletableFuture<String> promise = new CompletableFuture<>();
    OPEN.add(promise);
    return promise;
  }
}

package io.portcullis.servers;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.Properties;

/** Address of a Postgres server, with queries as its superuser. */
record PostgresAddress(String host, int port) {
  static final String USER = "postgres";

  private static final String CONNECT_TIMEOUT_SECONDS = "2";

  String url(String database) {
    return "jdbc:postgresql://" + host + ":" + port + "/" + database;
  }

  Connection connect() {
    try {
      return connect(new Properties());
    } catch (SQLException e) {
      throw new IllegalStateException("no connection to Postgres at " + this, e);
    }
  }

  private Connection connect(Properties properties) throws SQLException {
    properties.setProperty("user", USER);
    return DriverManager.getConnection(url(USER), properties);
  }

  String query(String sql) {
    try (Connection connection = connect()) {
      return firstValue(connection, sql);
    } catch (SQLException e) {
      throw new IllegalStateException("Postgres at " + this + " failed at: " + sql, e);
    }
  }

  void execute(String sql) {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException("Postgres at " + this + " failed at: " + sql, e);
    }
  }

  /** False also if a server accepts the connection but does not respond. */
  boolean isAnswering() {
    Properties impatient = new Properties();
    impatient.setProperty("connectTimeout", CONNECT_TIMEOUT_SECONDS);
    impatient.setProperty("socketTimeout", CONNECT_TIMEOUT_SECONDS);
    try (Connection connection = connect(impatient)) {
      return firstValue(connection, "SELECT 1").equals("1");
    } catch (SQLException e) {
      return false;
    }
  }

  /** Returns the first column of the first row; empty if there is none, or if it is null. */
  static String firstValue(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return rows.next() ? Objects.requireNonNullElse(rows.getString(1), "") : "";
    }
  }

  @Override
  public String toString() {
    return host + ":" + port;
  }
}

package io.portcullis.backend.postgres.fence;

import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A session of the application, in a transaction. */
record AppSession(FenceFixture place, Connection connection, int pid) implements AutoCloseable {

  AppSession(FenceFixture place, Connection connection, int isolation, boolean begun)
      throws SQLException {
    this(place, begun(connection, isolation), pid(connection));
  }

  static AppSession at(FenceFixture place, int isolation) throws SQLException {
    return new AppSession(place, place.connect(), isolation, true);
  }

  private static Connection begun(Connection connection, int isolation) throws SQLException {
    connection.setTransactionIsolation(isolation);
    connection.setAutoCommit(false);
    return connection;
  }

  private static int pid(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery("SELECT pg_backend_pid()")) {
      found.next();
      return found.getInt(1);
    } finally {
      connection.rollback(); // So that no snapshot is taken yet.
    }
  }

  void check(long epoch, String holder) throws SQLException {
    check(epoch, holder, false);
  }

  void check(long epoch, String holder, boolean maybe) throws SQLException {
    String call = "SELECT " + place.names().functions().check() + "(?, ?, ?, ?)";
    try (PreparedStatement statement = connection.prepareStatement(call)) {
      statement.setString(1, place.scope());
      statement.setLong(2, epoch);
      statement.setString(3, holder);
      statement.setBoolean(4, maybe);
      statement.execute();
    }
  }

  void hold(long epoch, String holder) throws SQLException {
    String call = "SELECT " + place.names().functions().hold() + "(?, ?, ?)";
    try (PreparedStatement statement = connection.prepareStatement(call)) {
      statement.setString(1, place.scope());
      statement.setLong(2, epoch);
      statement.setString(3, holder);
      statement.execute();
    }
  }

  void letGo() throws SQLException {
    String call = "SELECT " + place.names().functions().release() + "(?)";
    try (PreparedStatement statement = connection.prepareStatement(call)) {
      statement.setString(1, place.scope());
      statement.execute();
    }
  }

  void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  String query(String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery(sql)) {
      return found.next() ? String.valueOf(found.getString(1)) : "";
    }
  }

  /** A terminated session frees its locks before the server's list of sessions drops it. */
  void awaitTermination() {
    await().atMost(FenceFixture.PATIENT).until(() -> !isAlive());
  }

  boolean isAlive() {
    return place
        .server()
        .query("SELECT count(*) FROM pg_stat_activity WHERE pid = " + pid)
        .equals("1");
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}

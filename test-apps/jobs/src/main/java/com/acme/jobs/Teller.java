package com.acme.jobs;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Reads and writes a table over and over, in every way that JDBC has for it. */
public final class Teller {
  private static final String INSERT = "INSERT INTO payments (amount) VALUES (1)";
  private static final String SELECT = "SELECT id, amount FROM payments";
  private static final int PAUSE_MILLIS = 200;

  private Teller() {}

  /** What is done with a connection of the pool. */
  private interface Task {
    void run(Connection connection) throws SQLException;
  }

  /** Arguments: the URL of the database and its user. */
  public static void main(String[] args) throws ExecutionException, InterruptedException {
    HikariConfig settings = new HikariConfig();
    settings.setJdbcUrl(args[0]);
    settings.setUsername(args[1]);
    settings.setMaximumPoolSize(2);
    HikariDataSource pool = new HikariDataSource(settings);
    Executors.newSingleThreadScheduledExecutor()
        .scheduleWithFixedDelay(() -> round(pool), 0, PAUSE_MILLIS, TimeUnit.MILLISECONDS)
        .get();
  }

  private static void round(HikariDataSource pool) {
    tasks().forEach((name, task) -> System.out.println(name + ": " + outcome(pool, task)));
    System.out.println("round done");
  }

  private static String outcome(HikariDataSource pool, Task task) {
    try (Connection connection = pool.getConnection()) {
      task.run(connection);
      return "done";
    } catch (SQLException | RuntimeException e) {
      return e.getClass().getName();
    }
  }

  private static Map<String, Task> tasks() {
    Map<String, Task> tasks = new LinkedHashMap<>();
    tasks.put("read by query", with(statement -> statement.executeQuery(SELECT).close()));
    tasks.put("read by execute", with(statement -> statement.execute(SELECT)));
    tasks.put("read by prepared query", prepared(SELECT, s -> s.executeQuery().close()));
    tasks.put("read by prepared execute", prepared(SELECT, PreparedStatement::execute));
    tasks.put("read by metadata", c -> c.getMetaData().getTables(null, null, "pay%", null).close());
    tasks.put("read by validation", Teller::validate);
    tasks.put("write by update", with(statement -> statement.executeUpdate(INSERT)));
    tasks.put("write by large update", with(statement -> statement.executeLargeUpdate(INSERT)));
    tasks.put("write by execute", with(statement -> statement.execute(INSERT)));
    tasks.put("write by query", with(s -> s.executeQuery(INSERT + " RETURNING id").close()));
    tasks.put("write by two commands", with(s -> s.execute(SELECT + "; " + INSERT)));
    tasks.put("write by batch", with(Teller::batch));
    tasks.put("write by prepared update", prepared(INSERT, PreparedStatement::executeUpdate));
    tasks.put("write by prepared execute", prepared(INSERT, PreparedStatement::execute));
    tasks.put("write by prepared batch", prepared(INSERT, Teller::preparedBatch));
    tasks.put("write by row", Teller::insertRow);
    return tasks;
  }

  /** What is done with a statement. */
  private interface Use<T> {
    void of(T statement) throws SQLException;
  }

  private static Task with(Use<Statement> use) {
    return connection -> {
      try (Statement statement = connection.createStatement()) {
        use.of(statement);
      }
    };
  }

  private static Task prepared(String sql, Use<PreparedStatement> use) {
    return connection -> {
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        use.of(statement);
      }
    };
  }

  private static void validate(Connection connection) throws SQLException {
    if (!connection.isValid(1)) {
      throw new SQLException("the connection is taken for dead");
    }
  }

  private static void batch(Statement statement) throws SQLException {
    statement.addBatch(INSERT);
    statement.executeBatch();
  }

  private static void preparedBatch(PreparedStatement statement) throws SQLException {
    statement.addBatch();
    statement.executeBatch();
  }

  private static void insertRow(Connection connection) throws SQLException {
    try (Statement statement =
            connection.createStatement(
                ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_UPDATABLE);
        ResultSet rows = statement.executeQuery(SELECT)) {
      rows.moveToInsertRow();
      rows.updateLong("amount", 1);
      rows.insertRow();
    }
  }
}

package com.acme.jobs;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;
import org.postgresql.largeobject.LargeObjectManager;

/** Reads and writes a table repeatedly, in every way that JDBC offers. */
public final class JdbcWorkload {
  private static final String INSERT = "INSERT INTO payments (amount) VALUES (1)";
  private static final String SELECT = "SELECT id, amount FROM payments";
  private static final String DELETE = "DELETE FROM payments WHERE amount < 0 RETURNING id";

  /** SQL whose writes are detected only by tokenizing it as Postgres does. */
  private static final Map<String, String> HIDDEN =
      Map.of(
          "behind a JSON operator",
          "WITH s AS (SELECT '{\"a\":{\"b\":\"7\"}}'::jsonb #>> '{a,b}' AS v)"
              + " INSERT INTO payments (amount) SELECT v::bigint FROM s",
          "behind an operator and a semicolon",
          "SELECT 5 # 3; " + INSERT,
          "behind a carriage return",
          "SELECT 1 -- x\r; " + INSERT,
          "behind a nested comment",
          "SELECT 1 /* /* */ ' */; " + INSERT + " -- '",
          "behind a dollar quote",
          "SELECT $$'$$; " + INSERT + " -- '");

  private static final int PAUSE_MILLIS = 200;

  private JdbcWorkload() {}

  /** An action on a connection of the pool. */
  private interface Task {
    void run(Connection connection) throws SQLException;
  }

  /** Arguments: the URL of the database and its user. */
  public static void main(String[] args) throws InterruptedException {
    HikariConfig settings = new HikariConfig();
    settings.setJdbcUrl(args[0]);
    settings.setUsername(args[1]);
    settings.setMaximumPoolSize(2);
    try (HikariDataSource pool = new HikariDataSource(settings)) {
      CountDownLatch never = new CountDownLatch(1);
      do {
        tasks().forEach((name, task) -> System.out.println(name + ": " + outcome(pool, task)));
        System.out.println("round done");
      } while (!never.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS));
    }
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
    tasks.put("read by validation", JdbcWorkload::validate);
    tasks.put("read by copy", connection -> copyOut(connection, "COPY payments TO STDOUT"));
    tasks.put("write by update", with(statement -> statement.executeUpdate(INSERT)));
    tasks.put("write by large update", with(statement -> statement.executeLargeUpdate(INSERT)));
    tasks.put("write by execute", with(statement -> statement.execute(INSERT)));
    tasks.put("write by query", with(s -> s.executeQuery(INSERT + " RETURNING id").close()));
    tasks.put("write by two commands", with(s -> s.execute(SELECT + "; " + INSERT)));
    tasks.put("write by batch", with(JdbcWorkload::batch));
    tasks.put("write by prepared update", prepared(INSERT, PreparedStatement::executeUpdate));
    tasks.put("write by prepared execute", prepared(INSERT, PreparedStatement::execute));
    tasks.put("write by prepared batch", prepared(INSERT, JdbcWorkload::preparedBatch));
    tasks.put("write by row", JdbcWorkload::insertRow);
    HIDDEN.forEach((name, sql) -> tasks.put("write " + name, with(s -> s.execute(sql))));
    HIDDEN.forEach(
        (name, sql) ->
            tasks.put("write prepared " + name, prepared(sql, PreparedStatement::execute)));
    tasks.put("write by copy", JdbcWorkload::copyIn);
    tasks.put("write by copy of deleted rows", c -> copyOut(c, "COPY (" + DELETE + ") TO STDOUT"));
    tasks.put("write by large object", JdbcWorkload::createLargeObject);
    return tasks;
  }

  /** An action on a statement. */
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

  private static void copyIn(Connection connection) throws SQLException {
    try {
      copies(connection).copyIn("COPY payments (amount) FROM STDIN", new StringReader("1\n"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void copyOut(Connection connection, String sql) throws SQLException {
    try {
      copies(connection).copyOut(sql, Writer.nullWriter());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static CopyManager copies(Connection connection) throws SQLException {
    return connection.unwrap(PGConnection.class).getCopyAPI();
  }

  private static void createLargeObject(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    LargeObjectManager objects = connection.unwrap(PGConnection.class).getLargeObjectAPI();
    objects.delete(objects.createLO());
    connection.commit();
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

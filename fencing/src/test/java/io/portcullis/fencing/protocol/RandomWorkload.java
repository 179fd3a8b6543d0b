package io.portcullis.fencing.protocol;

import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyManager;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;
import org.postgresql.largeobject.LargeObject;
import org.postgresql.largeobject.LargeObjectManager;

/**
 * An application that performs random operations on one connection. Workloads with the same seed do
 * the same as long as they get the same responses.
 */
final class RandomWorkload implements AutoCloseable {
  /** The tables and functions that it uses, to be created in its schema. */
  static final String TABLES =
      """
      CREATE TABLE w (id serial PRIMARY KEY, n int CHECK (n < 1000), s text,
        CONSTRAINT later UNIQUE (s) DEFERRABLE INITIALLY DEFERRED);
      CREATE FUNCTION puts() RETURNS int LANGUAGE sql AS
        $$INSERT INTO w (n) VALUES (500) RETURNING id$$;
      CREATE FUNCTION counts() RETURNS bigint LANGUAGE plpgsql AS
        $$BEGIN RETURN (SELECT count(*) FROM w); END$$;
      CREATE PROCEDURE commits() LANGUAGE plpgsql AS
        $$BEGIN INSERT INTO w (n) VALUES (600); COMMIT; INSERT INTO w (n) VALUES (601); END$$;
      """;

  private final Connection connection;
  private final String schema;
  private final Random random;
  private final Map<String, PreparedStatement> prepared = new HashMap<>();
  private final List<Savepoint> savepoints = new ArrayList<>();
  private @Nullable ResultSet open;

  RandomWorkload(Connection connection, String schema, long seed) {
    this.connection = connection;
    this.schema = schema;
    this.random = new Random(seed);
  }

  Connection connection() {
    return connection;
  }

  /** Performs a random operation; returns it with its result. */
  String step() throws SQLException {
    StringBuilder log = new StringBuilder();
    try {
      act(log);
    } catch (BatchUpdateException e) {
      log.append(" failed by ").append(e.getSQLState());
      log.append(Arrays.toString(e.getUpdateCounts()));
    } catch (SQLException e) {
      log.append(" failed by ").append(e.getSQLState());
    } catch (IOException e) {
      log.append(" failed by ").append(e.getClass());
    } catch (FencedDatabaseStub.StaleEpochException e) {
      log.append(" refused");
    }
    return log.append(" -> ").append(state()).toString();
  }

  private TransactionState state() throws SQLException {
    return connection.unwrap(BaseConnection.class).getTransactionState();
  }

  private void act(StringBuilder log) throws SQLException, IOException {
    switch (random.nextInt(24)) {
      case 0 -> {
        boolean on = random.nextInt(4) == 0;
        log.append("autocommit ").append(on);
        connection.setAutoCommit(on);
      }
      case 1, 2 -> {
        log.append("commit");
        connection.commit();
      }
      case 3 -> {
        log.append("rollback");
        connection.rollback();
      }
      case 4 -> {
        log.append("savepoint");
        savepoints.add(connection.setSavepoint());
      }
      case 5 -> endSavepoint(log);
      case 6 -> {
        int isolation = 1 << random.nextInt(4);
        log.append("isolation ").append(isolation);
        connection.setTransactionIsolation(isolation);
      }
      case 7 -> {
        boolean on = random.nextInt(3) == 0;
        log.append("read only ").append(on);
        connection.setReadOnly(on);
      }
      case 8, 9, 10, 11, 12, 13 -> prepared(log);
      case 14 -> keys(log);
      case 15, 16, 17, 18 ->
          text(log, RandomStatements.TEXTS[random.nextInt(RandomStatements.TEXTS.length)]);
      case 19 -> rowsBatch(log);
      case 20 -> textsBatch(log);
      case 21 -> cursor(log);
      case 22 -> copy(log);
      default -> rare(log);
    }
  }

  private void endSavepoint(StringBuilder log) throws SQLException {
    boolean back = random.nextBoolean();
    int which = random.nextInt(1000);
    log.append(back ? "back to savepoint" : "release savepoint");
    if (!savepoints.isEmpty()) {
      Savepoint savepoint = savepoints.get(which % savepoints.size());
      if (back) {
        connection.rollback(savepoint);
      } else {
        savepoints.remove(savepoint);
        connection.releaseSavepoint(savepoint);
      }
    }
  }

  private PreparedStatement statement(String sql) throws SQLException {
    PreparedStatement known = prepared.get(sql);
    if (known == null || known.isClosed()) {
      known = connection.prepareStatement(sql);
      prepared.put(sql, known);
    }
    return known;
  }

  private void prepared(StringBuilder log) throws SQLException {
    String sql = RandomStatements.PREPARED[random.nextInt(RandomStatements.PREPARED.length)];
    int value = random.nextInt(20) == 0 ? 1000 : random.nextInt(501);
    boolean closes = random.nextInt(10) == 0;
    int most = random.nextInt(5) == 0 ? 2 : 0;
    log.append(sql).append(" by ").append(value);
    PreparedStatement statement = statement(sql);
    statement.setMaxRows(most);
    statement.setInt(1, value);
    results(log, statement, statement.execute());
    if (closes) {
      statement.close();
    }
  }

  private static void results(StringBuilder log, Statement statement, boolean first)
      throws SQLException {
    boolean isRows = first;
    while (isRows || statement.getUpdateCount() >= 0) {
      if (isRows) {
        try (ResultSet rows = statement.getResultSet()) {
          rows(log, rows, Integer.MAX_VALUE);
        }
      } else {
        log.append(" count ").append(statement.getUpdateCount());
      }
      isRows = statement.getMoreResults();
    }
    if (statement.getWarnings() != null) {
      log.append(" warns ").append(statement.getWarnings().getSQLState());
    }
  }

  private static void rows(StringBuilder log, ResultSet rows, int most) throws SQLException {
    int columns = rows.getMetaData().getColumnCount();
    int count = 0;
    int hash = 1;
    while (count < most && rows.next()) {
      for (int i = 1; i <= columns; i++) {
        String value = rows.getString(i);
        hash = 31 * hash + (value == null ? 0 : value.hashCode());
      }
      count++;
    }
    log.append(" rows ").append(count).append('/').append(columns).append('#').append(hash);
  }

  private void keys(StringBuilder log) throws SQLException {
    log.append("keys");
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO w (n, s) VALUES (?, ?)", Statement.RETURN_GENERATED_KEYS)) {
      insert.setInt(1, random.nextInt(1010));
      insert.setString(2, random.nextInt(1000) + "x".repeat(random.nextInt(3) * 9000));
      insert.executeUpdate();
      try (ResultSet keys = insert.getGeneratedKeys()) {
        rows(log, keys, 10);
      }
    }
  }

  private void text(StringBuilder log, String sql) throws SQLException {
    log.append(sql);
    try (Statement statement = connection.createStatement()) {
      results(log, statement, statement.execute(sql));
    }
  }

  private void rowsBatch(StringBuilder log) throws SQLException {
    int count = random.nextInt(4) == 0 ? 300 : random.nextInt(5);
    int bad = random.nextInt(count * 3 + 1);
    boolean keys = random.nextInt(4) == 0;
    log.append("batch of ").append(count).append(" bad ").append(bad);
    try (PreparedStatement insert =
        keys
            ? connection.prepareStatement(
                "INSERT INTO w (n) VALUES (?)", Statement.RETURN_GENERATED_KEYS)
            : connection.prepareStatement("INSERT INTO w (n) VALUES (?)")) {
      for (int i = 0; i < count; i++) {
        insert.setInt(1, i == bad ? 1000 : i);
        insert.addBatch();
      }
      log.append(' ').append(Arrays.hashCode(insert.executeBatch()));
    }
  }

  private void textsBatch(StringBuilder log) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (int i = random.nextInt(4); i >= 0; i--) {
        String sql = RandomStatements.BATCHED[random.nextInt(RandomStatements.BATCHED.length)];
        log.append(sql).append(';');
        statement.addBatch(sql);
      }
      log.append(Arrays.toString(statement.executeBatch()));
    }
  }

  /** Reads on in rows that arrive in portions, or starts to. */
  private void cursor(StringBuilder log) throws SQLException {
    boolean isNew = random.nextBoolean();
    boolean puts = random.nextInt(4) == 0;
    int count = random.nextInt(12);
    log.append("cursor ").append(isNew).append(puts);
    ResultSet rows = open;
    if (isNew || rows == null) {
      Statement statement = connection.createStatement();
      statement.setFetchSize(3);
      String more = puts ? ", puts()" : "";
      rows = statement.executeQuery("SELECT i" + more + " FROM generate_series(1, 20) i");
      open = rows;
    }
    rows(log, rows, count);
  }

  private void copy(StringBuilder log) throws SQLException, IOException {
    CopyManager manager = connection.unwrap(PGConnection.class).getCopyAPI();
    int how = random.nextInt(4);
    log.append("copy ").append(how);
    if (how == 0) {
      StringWriter out = new StringWriter();
      manager.copyOut("COPY (SELECT n FROM w ORDER BY id) TO STDOUT", out);
      log.append(' ').append(out.toString().hashCode());
    } else if (how == 1) {
      CopyIn in = manager.copyIn("COPY w (n) FROM STDIN");
      byte[] row = "11\n".getBytes(StandardCharsets.US_ASCII);
      in.writeToCopy(row, 0, row.length);
      in.cancelCopy();
    } else {
      Reader rows = new StringReader(how == 2 ? "12\n13\n" : "14\n1000\n");
      log.append(' ').append(manager.copyIn("COPY w (n) FROM STDIN", rows));
    }
  }

  private void rare(StringBuilder log) throws SQLException, IOException {
    switch (random.nextInt(5)) {
      case 0 -> {
        log.append("valid ").append(connection.isValid(10));
      }
      case 1 -> {
        log.append("listen");
        try (Statement statement = connection.createStatement()) {
          statement.execute("LISTEN " + schema);
        }
      }
      case 2 -> {
        log.append("notify");
        try (Statement statement = connection.createStatement()) {
          statement.execute("NOTIFY " + schema);
        }
      }
      case 3 -> {
        PGNotification[] heard = connection.unwrap(PGConnection.class).getNotifications();
        log.append("heard ").append(heard == null ? 0 : heard.length);
      }
      default -> largeObject(log);
    }
  }

  private void largeObject(StringBuilder log) throws SQLException {
    log.append("large object");
    LargeObjectManager manager = connection.unwrap(PGConnection.class).getLargeObjectAPI();
    long id = manager.createLO(LargeObjectManager.READWRITE);
    try (LargeObject object = manager.open(id)) {
      object.write("large".getBytes(StandardCharsets.US_ASCII));
      object.seek(0);
      log.append(' ').append(object.read(10).length);
    }
    manager.unlink(id);
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}

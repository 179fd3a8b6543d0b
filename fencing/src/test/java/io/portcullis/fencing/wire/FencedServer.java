package io.portcullis.fencing.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.servers.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server of a test's own, with a fenced database as {@link FencedPostgres} has it. Table and
 * functions of the fence are those of the documentation, which are the ones that are installed.
 */
record FencedServer(PostgresServer server) implements AutoCloseable {
  private static final Path PAGE = Path.of("..", "docs", "fencing.md");
  private static final Pattern FENCE =
      Pattern.compile("```sql\\n.*?(CREATE TABLE .*?)ALTER TABLE .*?```", Pattern.DOTALL);

  /** Makes the database on a server, which is closed with this. */
  static FencedServer on(PostgresServer server) throws SQLException {
    server.execute("CREATE DATABASE " + FencedPostgres.DATABASE);
    FencedServer fenced = new FencedServer(server);
    fenced.execute("CREATE SCHEMA fences;" + documented());
    fenced.execute(
        "INSERT INTO fences.fence VALUES ('orders:writer', 7, 'node-a', now());"
            + "CREATE TABLE t (id serial PRIMARY KEY, n int, s text);"
            + "CREATE PROCEDURE commits() LANGUAGE plpgsql AS "
            + "$$BEGIN INSERT INTO t (n) VALUES (1); COMMIT;"
            + " INSERT INTO t (n) VALUES (2); COMMIT; END$$;");
    fenced.reset();
    return fenced;
  }

  private static String documented() {
    try {
      Matcher block = FENCE.matcher(Files.readString(PAGE));
      assertThat(block.find()).isTrue();
      return block.group(1).replace("\"ops\".\"portcullis_fence", "\"fences\".\"fence");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A connection of the application's. */
  Connection connect(String... properties) throws SQLException {
    return connectBy(server.url(FencedPostgres.DATABASE), properties);
  }

  /** A connection of the application's by another way. */
  Connection connectBy(String url, String... properties) throws SQLException {
    Properties all = new Properties();
    all.setProperty("user", server.user());
    for (int i = 0; i < properties.length; i += 2) {
      all.setProperty(properties[i], properties[i + 1]);
    }
    return DriverManager.getConnection(url, all);
  }

  /** Runs statements that no fence sees. */
  void execute(String sql) throws SQLException {
    try (Connection admin = FencedPostgres.unfenced(server)) {
      execute(admin, sql);
    }
  }

  /** The first value of a query that no fence sees. */
  String query(String sql) throws SQLException {
    try (Connection admin = FencedPostgres.unfenced(server)) {
      return query(admin, sql);
    }
  }

  /** Runs a statement on a connection at hand. */
  static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** The first value of a query on a connection at hand; empty if there is none. */
  static String query(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return rows.next() ? String.valueOf(rows.getString(1)) : "";
    }
  }

  /** How many rows there are that were committed. */
  int rows() throws SQLException {
    return Integer.parseInt(query("SELECT count(*) FROM t"));
  }

  /** How many locks sessions or transactions keep on the fence. */
  int locks() throws SQLException {
    return Integer.parseInt(
        query("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted"));
  }

  /** Puts the fence, the table and this node back to where tests begin. */
  void reset() throws SQLException {
    FencedPostgres.reset();
    // What a failed test has left behind is not waited for without an end.
    execute(
        "SET lock_timeout = '30s'; UPDATE fences.fence SET epoch = 7, holder = 'node-a';"
            + " TRUNCATE t RESTART IDENTITY");
  }

  /** Another node has taken over. */
  void takeOver() throws SQLException {
    execute("UPDATE fences.fence SET epoch = 8, holder = 'node-b' WHERE scope = 'orders:writer'");
  }

  @Override
  public void close() {
    server.close();
  }
}

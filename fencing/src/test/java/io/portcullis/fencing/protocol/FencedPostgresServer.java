package io.portcullis.fencing.protocol;

import io.portcullis.servers.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;

/** A server of a test's own, with a fenced database as {@link FencedPostgresFixture} has it. */
record FencedPostgresServer(PostgresServer server) implements AutoCloseable {
  /** Makes the database on a server, which is closed with this. */
  static FencedPostgresServer on(PostgresServer server) throws SQLException {
    server.execute("CREATE DATABASE " + FencedPostgresFixture.DATABASE);
    FencedPostgresServer fenced = new FencedPostgresServer(server);
    fenced.execute(FenceSql.sql());
    fenced.execute(
        "CREATE TABLE t (id serial PRIMARY KEY, n int, s text);"
            + "CREATE PROCEDURE commits() LANGUAGE plpgsql AS "
            + "$$BEGIN INSERT INTO t (n) VALUES (1); COMMIT;"
            + " INSERT INTO t (n) VALUES (2); COMMIT; END$$;");
    fenced.reset();
    return fenced;
  }

  /** A connection of the application's. */
  Connection connect(String... properties) throws SQLException {
    return connectBy(server.url(FencedPostgresFixture.DATABASE), properties);
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
    try (Connection admin = FencedPostgresFixture.unfenced(server)) {
      execute(admin, sql);
    }
  }

  /** The first value of a query that no fence sees. */
  String query(String sql) throws SQLException {
    try (Connection admin = FencedPostgresFixture.unfenced(server)) {
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
    FencedPostgresFixture.reset();
    // What a failed test has left behind is not waited for without an end.
    execute(
        "SET lock_timeout = '30s'; UPDATE fences.fence SET epoch = 7, holder = 'node-a';"
            + " TRUNCATE t RESTART IDENTITY");
  }

  /** A role that may create functions beside the fence's own overloads those that compare. */
  static final String OVERLOADS =
      "CREATE ROLE intruder; GRANT USAGE, CREATE ON SCHEMA fences TO intruder;"
          + " SET ROLE intruder;"
          + " CREATE FUNCTION fences.fence_check_2(text, integer, text, boolean) RETURNS void"
          + " LANGUAGE sql AS 'SELECT'; CREATE FUNCTION fences.fence_hold_2(text, integer, text)"
          + " RETURNS void LANGUAGE sql AS 'SELECT';";

  /** Removes what {@link #OVERLOADS} created. */
  static final String NO_OVERLOADS = "DROP OWNED BY intruder; DROP ROLE intruder";

  /** Another node has taken over. */
  void takeOver() throws SQLException {
    execute("UPDATE fences.fence SET epoch = 8, holder = 'node-b' WHERE scope = 'orders:writer'");
  }

  @Override
  public void close() {
    server.close();
  }
}

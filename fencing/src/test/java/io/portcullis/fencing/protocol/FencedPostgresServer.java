package io.portcullis.fencing.protocol;

import io.portcullis.servers.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;

/** A server of one test, with a fenced database as in {@link FencedPostgresFixture}. */
record FencedPostgresServer(PostgresServer server) implements AutoCloseable {
  /** Creates the database on a server, which is closed with this. */
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

  /** A connection of the application. */
  Connection connect(String... properties) throws SQLException {
    return connectBy(server.url(FencedPostgresFixture.DATABASE), properties);
  }

  /** A connection of the application through another address. */
  Connection connectBy(String url, String... properties) throws SQLException {
    Properties all = new Properties();
    all.setProperty("user", server.user());
    for (int i = 0; i < properties.length; i += 2) {
      all.setProperty(properties[i], properties[i + 1]);
    }
    return DriverManager.getConnection(url, all);
  }

  /** Executes statements on an unfenced connection. */
  void execute(String sql) throws SQLException {
    try (Connection admin = FencedPostgresFixture.unfenced(server)) {
      execute(admin, sql);
    }
  }

  /** The first value of a query on an unfenced connection. */
  String query(String sql) throws SQLException {
    try (Connection admin = FencedPostgresFixture.unfenced(server)) {
      return query(admin, sql);
    }
  }

  /** Executes a statement on a given connection. */
  static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** The first value of a query on a given connection; empty if there is none. */
  static String query(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return rows.next() ? String.valueOf(rows.getString(1)) : "";
    }
  }

  /** The number of committed rows. */
  int rows() throws SQLException {
    return Integer.parseInt(query("SELECT count(*) FROM t"));
  }

  /** The number of locks that sessions or transactions hold on the fence. */
  int locks() throws SQLException {
    return Integer.parseInt(
        query("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted"));
  }

  /** Resets fence, table and this node to the state in which tests begin. */
  void reset() throws SQLException {
    FencedPostgresFixture.reset();
    // Locks that a failed test has left must not block for good.
    execute(
        "SET lock_timeout = '30s'; UPDATE fences.fence SET epoch = 7, holder = 'node-a';"
            + " TRUNCATE t RESTART IDENTITY");
  }

  /**
   * Overloads of the fence's functions and of its operators, by a role that may create functions.
   */
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

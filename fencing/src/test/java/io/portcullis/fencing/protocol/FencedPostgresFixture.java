package io.portcullis.fencing.protocol;

import io.portcullis.fencing.weave.DriverWeaver;
import io.portcullis.gate.DriverHooks;
import io.portcullis.servers.PostgresServer;
import java.lang.instrument.Instrumentation;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import net.bytebuddy.agent.ByteBuddyAgent;

/** A real server with a fenced database, and a real driver that is woven in this JVM. */
final class FencedPostgresFixture {
  static final String DATABASE = "app";

  /** The name of loaders whose drivers are not woven. */
  static final String UNWOVEN = "unwoven";

  private static final ThreadLocal<Boolean> UNFENCED = ThreadLocal.withInitial(() -> false);
  static final FencedDatabaseStub SITE = new FencedDatabaseStub();
  static final FencedConnections FENCES =
      new FencedConnections(
          (server, database) -> database.equals(DATABASE) && !UNFENCED.get() ? SITE : null);
  static final DriverWeaver WEAVER =
      new DriverWeaver(
          loader -> loader != null && UNWOVEN.equals(loader.getName()),
          failure -> {
            throw new AssertionError(failure.toString(), failure.why());
          });
  static final PostgresServer SERVER = start();

  private static final String INSTALL =
      FenceSql.LOCK
          + ";UPDATE fences.fence SET epoch = 8, holder = 'node-b'"
          + " WHERE scope = 'orders:writer' AND epoch < 8";

  private FencedPostgresFixture() {}

  private static PostgresServer start() {
    DriverHooks.install(FENCES);
    Instrumentation instrumentation = ByteBuddyAgent.install();
    instrumentation.addTransformer(WEAVER, true);
    PostgresServer server = PostgresServer.start("max_prepared_transactions = 5");
    WEAVER.weaveLoaded(instrumentation);
    server.execute("CREATE DATABASE " + DATABASE);
    try (Connection admin = unfenced(server);
        Statement statement = admin.createStatement()) {
      statement.execute(FenceSql.sql());
      statement.execute(
          "CREATE TABLE t (id serial PRIMARY KEY, n int, s text);"
              + "CREATE FUNCTION writes() RETURNS int LANGUAGE plpgsql AS "
              + "$$BEGIN INSERT INTO t (n) VALUES (1); RETURN 1; END$$;"
              + "CREATE FUNCTION reads() RETURNS bigint LANGUAGE plpgsql AS "
              + "$$BEGIN RETURN (SELECT count(*) FROM t); END$$;"
              + "CREATE PROCEDURE commits() LANGUAGE plpgsql AS "
              + "$$BEGIN INSERT INTO t (n) VALUES (1); COMMIT;"
              + " INSERT INTO t (n) VALUES (2); COMMIT; END$$;");
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
    return server;
  }

  /** The number of connections to the fenced database. */
  static int connections() {
    return FENCES.connections(SITE);
  }

  /** A connection of the application. */
  static Connection connect(String... properties) throws SQLException {
    Properties all = new Properties();
    all.setProperty("user", SERVER.user());
    for (int i = 0; i < properties.length; i += 2) {
      all.setProperty(properties[i], properties[i + 1]);
    }
    return DriverManager.getConnection(SERVER.url(DATABASE), all);
  }

  /** A connection to the same database under a name that no fence has. */
  static Connection unfenced() throws SQLException {
    return unfenced(SERVER);
  }

  static Connection unfenced(PostgresServer server) throws SQLException {
    Properties all = new Properties();
    all.setProperty("user", server.user());
    // A leaked lock fails a test, and must not be kept for good.
    all.setProperty("options", "-c lock_timeout=30s");
    return unfenced(() -> DriverManager.getConnection(server.url(DATABASE), all));
  }

  /** Opens a connection. */
  interface Connector {
    Connection connect() throws SQLException;
  }

  /** A connection that is not fenced although its address would be. */
  static Connection unfenced(Connector way) throws SQLException {
    // The finder is called on the thread that connects.
    UNFENCED.set(true);
    try {
      return way.connect();
    } finally {
      UNFENCED.remove();
    }
  }

  /** Executes a statement on an unfenced connection. */
  static void execute(String sql) throws SQLException {
    try (Connection admin = unfenced();
        Statement statement = admin.createStatement()) {
      statement.execute(sql);
    }
  }

  /** The first value of a query on an unfenced connection. */
  static String query(String sql) throws SQLException {
    try (Connection admin = unfenced();
        Statement statement = admin.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return rows.next() ? String.valueOf(rows.getString(1)) : "";
    }
  }

  /** The number of committed rows. */
  static int rows() throws SQLException {
    return Integer.parseInt(query("SELECT count(*) FROM t"));
  }

  /** Resets fence, table and this node to the state in which tests begin. */
  static void reset() throws SQLException {
    // Locks that a failed test has left must not block for good.
    execute(
        "SET lock_timeout = '30s'; UPDATE fences.fence SET epoch = 7, holder = 'node-a';"
            + " TRUNCATE t RESTART IDENTITY");
    SITE.functions = FencedDatabaseStub.FUNCTIONS;
    SITE.open = 7;
    SITE.pinned = 0;
    SITE.notReady = null;
    SITE.inRecovery = false;
    SITE.refusedEpoch = -1;
    SITE.forgotten = false;
  }

  /** Another node has taken over. */
  static void takeOver() throws SQLException {
    execute("UPDATE fences.fence SET epoch = 8, holder = 'node-b'");
  }

  /**
   * The same as an installer does it, which waits for transactions that have written under the
   * fence.
   */
  static void install() throws SQLException {
    execute(INSTALL);
  }
}

package io.portcullis.fencing.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.fencing.protocol.FencedDatabaseStub.StaleEpochException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;
import org.postgresql.fastpath.Fastpath;
import org.postgresql.fastpath.FastpathArg;
import org.postgresql.largeobject.LargeObject;
import org.postgresql.largeobject.LargeObjectManager;

/** Statements of all kinds through a woven driver, on the leader and after a takeover. */
class FencedStatementsTest {
  /** The number in the driver's name of its statement. */
  private static final String NAME =
      "SELECT substring(name FROM 3)::int FROM pg_prepared_statements"
          + " WHERE statement LIKE 'SELECT n FROM t%'";

  @BeforeEach
  void reset() throws SQLException {
    FencedPostgresFixture.reset();
  }

  private static Connection connect(String mode) throws SQLException {
    return FencedPostgresFixture.connect("preferQueryMode", mode);
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static long query(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      assertThat(rows.next()).isTrue();
      return rows.getLong(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"extended", "simple"})
  void staleSelectOfWritingFunctionIsRefused(String mode) throws SQLException {
    try (Connection connection = connect(mode)) {
      assertThat(query(connection, "SELECT writes()")).isEqualTo(1);
      FencedPostgresFixture.takeOver();

      // This node still believes that it leads; the error says that the transaction is read-only.
      assertThatThrownBy(() -> query(connection, "SELECT writes()"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("read-only");
      FencedPostgresFixture.SITE.open = 0;
      assertThatThrownBy(() -> query(connection, "SELECT writes()"))
          .isInstanceOf(StaleEpochException.class);
      assertThat(query(connection, "SELECT reads()")).isEqualTo(1);

      connection.setAutoCommit(false);
      assertThat(query(connection, "SELECT reads()")).isEqualTo(1);
      assertThatThrownBy(() -> execute(connection, "INSERT INTO t (n) VALUES (1)"))
          .isInstanceOf(StaleEpochException.class);
      connection.rollback();
    }
    assertThat(FencedPostgresFixture.rows()).isEqualTo(1);
  }

  /** The server executes such a function when it plans, which is when a statement is bound. */
  @ParameterizedTest
  @ValueSource(strings = {"extended", "simple"})
  void writingFunctionDeclaredImmutableIsRefusedToo(String mode) throws SQLException {
    FencedPostgresFixture.execute(
        "CREATE OR REPLACE FUNCTION pretends() RETURNS int IMMUTABLE LANGUAGE plpgsql AS "
            + "$$BEGIN RETURN writes(); END$$");
    try (Connection connection = connect(mode)) {
      assertThat(query(connection, "SELECT pretends()")).isEqualTo(1);
      FencedPostgresFixture.takeOver();

      assertThatThrownBy(() -> query(connection, "SELECT pretends()"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("read-only");
    }
    assertThat(FencedPostgresFixture.rows()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"extended", "simple"})
  void procedureThatCommitsHoldsAndReleasesTheFence(String mode) throws SQLException {
    try (Connection connection = connect(mode)) {
      for (int i = 1; i <= 7; i++) {
        try (CallableStatement call = connection.prepareCall("CALL commits()")) {
          call.execute();
        }
        assertThat(FencedPostgresFixture.rows()).isEqualTo(2 * i);
        assertThat(advisoryLocks()).isZero();
      }
      execute(connection, "DO $$BEGIN INSERT INTO t (n) VALUES (1); COMMIT; END$$");
      assertThat(FencedPostgresFixture.rows()).isEqualTo(15);
      FencedPostgresFixture.takeOver();

      assertThatThrownBy(() -> execute(connection, "CALL commits()"))
          .isInstanceOf(StaleEpochException.class);
      assertThatThrownBy(() -> execute(connection, "DO $$BEGIN COMMIT; END$$"))
          .isInstanceOf(StaleEpochException.class);
      assertThat(query(connection, "SELECT count(*) FROM t")).isEqualTo(15);
      assertThat(advisoryLocks()).isZero();
    }
    assertThat(FencedPostgresFixture.rows()).isEqualTo(15);
  }

  private static int advisoryLocks() throws SQLException {
    return Integer.parseInt(
        FencedPostgresFixture.query("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"extended", "simple"})
  void statementThatCantRunInATransactionIsFenced(String mode) throws SQLException {
    try (Connection connection = connect(mode)) {
      execute(connection, "VACUUM t");
      execute(connection, "CREATE INDEX CONCURRENTLY i ON t (n)");
      execute(connection, "DROP INDEX CONCURRENTLY i");
      execute(connection, "ANALYZE");
      assertThat(advisoryLocks()).isZero();
      FencedPostgresFixture.takeOver();

      assertThatThrownBy(() -> execute(connection, "VACUUM t"))
          .isInstanceOf(StaleEpochException.class);
      assertThatThrownBy(() -> execute(connection, "CREATE INDEX CONCURRENTLY i ON t (n)"))
          .isInstanceOf(StaleEpochException.class);
      assertThat(query(connection, "SELECT 1")).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"extended", "simple"})
  void failureInAStandaloneStatementLeavesNoLock(String mode) throws SQLException {
    try (Connection connection = connect(mode)) {
      assertThatThrownBy(() -> execute(connection, "CALL missing()"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("missing");
      assertThat(advisoryLocks()).isZero();
      connection.setAutoCommit(false);
      assertThatThrownBy(() -> execute(connection, "CALL commits()"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("invalid transaction termination");
      connection.rollback();
      execute(connection, "DO $$BEGIN INSERT INTO t (n) VALUES (1); END$$");
      connection.commit();
    }
    assertThat(FencedPostgresFixture.rows()).isEqualTo(1);
  }

  @Test
  void commitInTheTextEndsTheCheckedTransaction() throws SQLException {
    try (Connection connection = connect("extended")) {
      execute(connection, "BEGIN");
      execute(connection, "INSERT INTO t (n) VALUES (1)");
      execute(connection, "COMMIT");
      FencedPostgresFixture.takeOver();

      assertThatThrownBy(() -> execute(connection, "INSERT INTO t (n) VALUES (2)"))
          .isInstanceOf(StaleEpochException.class);
      assertThatThrownBy(() -> execute(connection, "BEGIN; INSERT INTO t (n) VALUES (2); COMMIT"))
          .isInstanceOf(StaleEpochException.class);
      execute(connection, "ROLLBACK");
      FencedPostgresFixture.reset();

      execute(connection, "BEGIN; INSERT INTO t (n) VALUES (2); COMMIT; SELECT 1");
    }
    assertThat(FencedPostgresFixture.rows()).isEqualTo(1);
  }

  @Test
  void unfenceableStatementsAreRefusedAndConnectionIsKept() throws SQLException {
    try (Connection connection = connect("simple")) {
      assertThatThrownBy(() -> execute(connection, "BEGIN; INSERT INTO t (n) VALUES (2); COMMIT"))
          .isInstanceOf(SQLException.class)
          .hasFieldOrPropertyWithValue("SQLState", "PCF03")
          .hasMessageContaining("one by one");
      execute(connection, "INSERT INTO t (n) VALUES (1); INSERT INTO t (n) VALUES (2)");
    }
    assertThat(FencedPostgresFixture.rows()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"extended", "simple"})
  void twoPhaseCommitIsRefused(String mode) throws SQLException {
    try (Connection connection = connect(mode)) {
      connection.setAutoCommit(false);
      execute(connection, "INSERT INTO t (n) VALUES (1)");
      assertThatThrownBy(() -> execute(connection, "PREPARE TRANSACTION 'x'"))
          .isInstanceOf(SQLException.class)
          .hasFieldOrPropertyWithValue("SQLState", "PCF03")
          .hasMessageContaining("Two-phase");
      connection.rollback();
      execute(connection, "INSERT INTO t (n) VALUES (1)");
      connection.commit();
    }
    assertThat(FencedPostgresFixture.rows()).isEqualTo(1);
    assertThat(FencedPostgresFixture.query("SELECT count(*) FROM pg_prepared_xacts"))
        .isEqualTo("0");
  }

  @ParameterizedTest
  @ValueSource(strings = {"extended", "simple"})
  void copyInIsFencedAndCopyOutReads(String mode) throws SQLException, IOException {
    try (Connection connection = connect(mode)) {
      CopyManager copy = connection.unwrap(PGConnection.class).getCopyAPI();
      String sql = "COPY t (n, s) FROM STDIN";
      assertThat(copy.copyIn(sql, new StringReader("1\tx\n".repeat(50_000)))).isEqualTo(50_000);
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      assertThat(copy.copyOut("COPY t (n, s) TO STDOUT", out)).isEqualTo(50_000);
      assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("1\tx\n".repeat(50_000));
      assertThatThrownBy(() -> execute(connection, sql)).isInstanceOf(SQLException.class);
      assertThat(query(connection, "SELECT count(*) FROM t")).isEqualTo(50_000);
      FencedPostgresFixture.takeOver();

      assertThatThrownBy(() -> copy.copyIn(sql, new StringReader("2\ty\n")))
          .isInstanceOf(StaleEpochException.class);
      assertThat(copy.copyOut("COPY t (n, s) TO STDOUT", new ByteArrayOutputStream()))
          .isEqualTo(50_000);
      assertThat(query(connection, "SELECT count(*) FROM t")).isEqualTo(50_000);
    }
  }

  @Test
  void largeObjectsAreFencedInTransactions() throws SQLException {
    try (Connection connection = connect("extended")) {
      LargeObjectManager objects = connection.unwrap(PGConnection.class).getLargeObjectAPI();
      connection.setAutoCommit(false);
      long id = objects.createLO();
      try (LargeObject object = objects.open(id)) {
        object.write("hello".getBytes(StandardCharsets.UTF_8));
      }
      connection.commit();
      try (LargeObject object = objects.open(id)) {
        assertThat(object.read(5)).isEqualTo("hello".getBytes(StandardCharsets.UTF_8));
      }
      connection.commit();
      FencedPostgresFixture.takeOver();

      assertThatThrownBy(objects::createLO).isInstanceOf(StaleEpochException.class);
      connection.rollback();
      assertThat(query(connection, "SELECT 1")).isEqualTo(1);
      connection.rollback();
    }
  }

  /** The driver refuses this to its own users of large objects, but to no other caller. */
  @Test
  @SuppressWarnings("deprecation")
  void fastPathCallsAreRefusedOutsideOfTransactions() throws SQLException {
    int create = Integer.parseInt(FencedPostgresFixture.query("SELECT 'lo_creat'::regproc::oid"));
    String count = "SELECT count(*) FROM pg_largeobject_metadata";
    String before = FencedPostgresFixture.query(count);
    try (Connection connection = connect("extended")) {
      Fastpath calls = connection.unwrap(PGConnection.class).getFastpathAPI();

      assertThatThrownBy(() -> calls.fastpath(create, new FastpathArg[] {new FastpathArg(-1)}))
          .isInstanceOf(SQLException.class)
          .hasFieldOrPropertyWithValue("SQLState", "PCF03")
          .hasMessageContaining("autocommit");
      assertThat(query(connection, "SELECT 1")).isEqualTo(1);
    }
    assertThat(FencedPostgresFixture.query(count)).isEqualTo(before);
  }

  @Test
  void notificationsArriveOnAnIdleConnection() throws SQLException {
    try (Connection connection = connect("extended")) {
      PGConnection listener = connection.unwrap(PGConnection.class);
      execute(connection, "LISTEN news");
      assertThat(listener.getNotifications(20)).isNullOrEmpty();
      FencedPostgresFixture.execute("NOTIFY news, 'hello'");

      assertThat(listener.getNotifications(10_000))
          .singleElement()
          .satisfies(news -> assertThat(news.getParameter()).isEqualTo("hello"));
      execute(connection, "INSERT INTO t (n) VALUES (1)");
      assertThat(listener.getNotifications(20)).isNullOrEmpty();
      execute(connection, "INSERT INTO t (n) VALUES (1)");
    }
    assertThat(FencedPostgresFixture.rows()).isEqualTo(2);
  }

  @Test
  void discardedStatementsArePreparedAgain() throws SQLException {
    try (Connection connection = FencedPostgresFixture.connect("prepareThreshold", "1");
        PreparedStatement insert = connection.prepareStatement("INSERT INTO t (n) VALUES (?)")) {
      for (int i = 0; i < 4; i++) {
        // In a transaction the driver does not retry a failed statement.
        connection.setAutoCommit(false);
        insert.setInt(1, i);
        insert.executeUpdate();
        connection.commit();
        connection.setAutoCommit(true);
        execute(connection, i % 2 == 0 ? "DISCARD ALL" : "DEALLOCATE ALL");
      }
    }
    assertThat(FencedPostgresFixture.rows()).isEqualTo(4);
  }

  @Test
  void nameReusedByTheApplicationIsNotTrusted() throws SQLException {
    try (Connection connection = FencedPostgresFixture.connect("prepareThreshold", "1");
        PreparedStatement select = connection.prepareStatement("SELECT n FROM t WHERE n = ?")) {
      select.setInt(1, 1);
      select.execute();
      String name = "\"S_" + query(connection, NAME) + "\"";
      execute(connection, "DEALLOCATE " + name);
      execute(connection, "PREPARE " + name + " (int) AS INSERT INTO t (n) VALUES ($1)");
      FencedPostgresFixture.takeOver();

      assertThatThrownBy(select::execute).isInstanceOf(StaleEpochException.class);
    }
    assertThat(FencedPostgresFixture.rows()).isZero();
  }

  @Test
  void fenceThatIsNotReadyRefusesWritesAndAllowsReads() throws SQLException {
    FencedPostgresFixture.SITE.notReady =
        "The fence is not installed: grant CREATE, then try again.";
    try (Connection connection = connect("extended")) {
      assertThatThrownBy(() -> execute(connection, "INSERT INTO t (n) VALUES (1)"))
          .isInstanceOf(SQLException.class)
          .hasFieldOrPropertyWithValue("SQLState", "PCF03")
          .hasMessageContaining("grant CREATE");
      assertThatThrownBy(() -> execute(connection, "CALL commits()"))
          .isInstanceOf(SQLException.class)
          .hasFieldOrPropertyWithValue("SQLState", "PCF03");
      assertThat(query(connection, "SELECT count(*) FROM t")).isZero();
      FencedPostgresFixture.SITE.notReady = null;
      execute(connection, "INSERT INTO t (n) VALUES (1)");
    }
    assertThat(FencedPostgresFixture.rows()).isEqualTo(1);
  }
}

package io.portcullis.fencing.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.portcullis.fencing.protocol.FencedDatabaseStub.StaleEpochException;
import io.portcullis.servers.PostgresServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A fenced connection to the oldest supported server. */
@Tag("slow")
class OldestPostgresTest {
  private static final String INSERT = "INSERT INTO t (n) VALUES (1)";
  private static final String INSTALL =
      "SELECT pg_advisory_xact_lock(hashtextextended('portcullis_fence:orders:writer', 0));"
          + "UPDATE fences.fence SET epoch = 8, holder = 'node-b'";

  private static FencedPostgresServer fenced;

  @BeforeAll
  static void start() throws SQLException {
    assumeTrue(
        System.getProperty("os.name").equals("Linux")
            && System.getProperty("os.arch").equals("amd64"),
        "The oldest Postgres was not tried: there are binaries of it for Linux on amd64 only.");
    fenced =
        FencedPostgresServer.on(
            PostgresServer.startOf(
                Path.of("target", "servers", "oldest-postgres.jar"),
                "max_prepared_transactions = 5",
                "wal_level = replica",
                "max_wal_senders = 5"));
    assertThat(fenced.query("SHOW server_version")).startsWith("12.");
  }

  @AfterAll
  static void stop() {
    if (fenced != null) {
      fenced.close();
    }
  }

  @BeforeEach
  void reset() throws SQLException {
    fenced.reset();
  }

  private static void insert(Connection connection) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement("INSERT INTO t (n) VALUES (?)")) {
      insert.setInt(1, 1);
      insert.executeUpdate();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"extended", "extendedCacheEverything", "simple"})
  void leaderWritesAndAStaleNodeDoesNot(String mode) throws SQLException {
    try (Connection connection = fenced.connect("preferQueryMode", mode, "prepareThreshold", "2")) {
      for (int i = 0; i < 5; i++) {
        insert(connection);
      }
      FencedPostgresServer.execute(connection, "CALL commits()");
      FencedPostgresServer.execute(connection, "VACUUM t");
      FencedPostgresServer.execute(connection, "CREATE INDEX CONCURRENTLY i ON t (n)");
      FencedPostgresServer.execute(connection, "DROP INDEX CONCURRENTLY i");
      assertThat(fenced.locks()).isZero();
      assertThat(fenced.rows()).isEqualTo(7);
      fenced.takeOver();

      assertThatThrownBy(() -> insert(connection)).isInstanceOf(StaleEpochException.class);
      for (String text :
          new String[] {"CALL commits()", "VACUUM t", "CREATE INDEX CONCURRENTLY i ON t (n)"}) {
        assertThatThrownBy(() -> FencedPostgresServer.execute(connection, text))
            .isInstanceOf(StaleEpochException.class);
      }
      assertThat(FencedPostgresServer.query(connection, "SELECT count(*) FROM t")).isEqualTo("7");
    }
    assertThat(fenced.rows()).isEqualTo(7);
    assertThat(fenced.locks()).isZero();
  }

  private static Connection inTransaction(int isolation) throws SQLException {
    Connection connection = fenced.connect();
    connection.setTransactionIsolation(isolation);
    connection.setAutoCommit(false);
    return connection;
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        Connection.TRANSACTION_READ_COMMITTED,
        Connection.TRANSACTION_REPEATABLE_READ,
        Connection.TRANSACTION_SERIALIZABLE,
      })
  void installerWaitsForWritersAndLaterWritesAreRefused(int isolation) throws Exception {
    try (Connection connection = inTransaction(isolation)) {
      String pid = FencedPostgresServer.query(connection, "SELECT pg_backend_pid()");
      FencedPostgresServer.execute(connection, INSERT);
      CompletableFuture<Void> installer =
          CompletableFuture.runAsync(
              () -> {
                try {
                  fenced.execute(INSTALL);
                } catch (SQLException e) {
                  throw new IllegalStateException(e);
                }
              });
      await()
          .atMost(Duration.ofMinutes(2))
          .until(
              () ->
                  fenced
                      .query(
                          "SELECT count(*) FROM pg_stat_activity WHERE "
                              + pid
                              + " = ANY (pg_blocking_pids(pid))")
                      .equals("1"));
      Savepoint savepoint = connection.setSavepoint();
      FencedPostgresServer.execute(connection, INSERT);
      connection.releaseSavepoint(savepoint);
      connection.commit();
      installer.get();

      assertThatThrownBy(() -> FencedPostgresServer.execute(connection, INSERT))
          .isInstanceOf(StaleEpochException.class);
      connection.rollback();
    }
    assertThat(fenced.rows()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(ints = {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE})
  void oldSnapshotDoesNotShowAnOldEpoch(int isolation) throws SQLException {
    try (Connection connection = inTransaction(isolation)) {
      assertThat(FencedPostgresServer.query(connection, "SELECT count(*) FROM t")).isEqualTo("0");
      fenced.takeOver();

      assertThatThrownBy(() -> FencedPostgresServer.execute(connection, INSERT))
          .isInstanceOf(SQLException.class)
          .hasFieldOrPropertyWithValue("SQLState", "40001");
      connection.rollback();
    }
    assertThat(fenced.rows()).isZero();
  }

  @Test
  void foreignPreparedTransactionIsOnlyRolledBack() throws SQLException {
    try (Connection elsewhere = FencedPostgresFixture.unfenced(fenced.server())) {
      elsewhere.setAutoCommit(false);
      FencedPostgresServer.execute(elsewhere, INSERT);
      FencedPostgresServer.execute(elsewhere, "PREPARE TRANSACTION 'x'");
      elsewhere.commit();
    }
    try (Connection connection = fenced.connect()) {
      for (String text : new String[] {"COMMIT PREPARED 'x'", "PREPARE TRANSACTION 'y'"}) {
        assertThatThrownBy(() -> FencedPostgresServer.execute(connection, text))
            .isInstanceOf(SQLException.class)
            .hasFieldOrPropertyWithValue("SQLState", "PCF03");
      }
      FencedPostgresServer.execute(connection, "ROLLBACK PREPARED 'x'");
    }
    assertThat(fenced.query("SELECT count(*) FROM pg_prepared_xacts")).isEqualTo("0");
    assertThat(fenced.rows()).isZero();
  }

  /** Old servers end a number where a word begins. */
  @Test
  void wordDirectlyAfterNumberIsNotTakenForRead() throws SQLException {
    fenced.takeOver();
    try (Connection connection = fenced.connect()) {
      for (String text :
          new String[] {"SELECT 1e5into made FROM t", "SELECT 1.5E-3into made FROM t"}) {
        assertThatThrownBy(() -> FencedPostgresServer.execute(connection, text))
            .isInstanceOf(StaleEpochException.class);
      }
    }
    assertThat(fenced.query("SELECT to_regclass('made') IS NULL")).isEqualTo("t");
  }

  @Test
  void discardedStatementsArePreparedAgain() throws SQLException {
    try (Connection connection = fenced.connect("prepareThreshold", "1")) {
      for (int i = 0; i < 4; i++) {
        insert(connection);
        FencedPostgresServer.execute(connection, i % 2 == 0 ? "DISCARD ALL" : "DEALLOCATE ALL");
      }
      fenced.takeOver();
      assertThatThrownBy(() -> insert(connection)).isInstanceOf(StaleEpochException.class);
    }
    assertThat(fenced.rows()).isEqualTo(4);
  }

  /** Old servers end the group's transaction there and begin a new one. */
  @ParameterizedTest
  @CsvSource({"ROLLBACK, 1", "ABORT, 1", "COMMIT, 2"})
  void statementAfterATransactionEndInItsGroupIsCheckedAgain(String end, int rows)
      throws SQLException {
    try (Connection connection = fenced.connect();
        Statement statement = connection.createStatement()) {
      int asked = FencedPostgresFixture.SITE.asked.get();
      statement.addBatch(INSERT);
      statement.addBatch(end);
      statement.addBatch(INSERT);
      statement.executeBatch();

      assertThat(FencedPostgresFixture.SITE.asked.get()).isEqualTo(asked + 2);
    }
    assertThat(fenced.rows()).isEqualTo(rows);
  }

  /** Such a server does not report that it is in recovery, so the fence's knowledge counts. */
  @Test
  void replicaRunsFunctionsReadOnlyAcrossPromotion() throws SQLException {
    fenced.execute(
        "CREATE OR REPLACE FUNCTION writes() RETURNS int LANGUAGE plpgsql AS "
            + "$$BEGIN INSERT INTO t (n) VALUES (1); RETURN 1; END$$;"
            + "CREATE OR REPLACE FUNCTION reads() RETURNS bigint LANGUAGE plpgsql AS "
            + "$$BEGIN RETURN (SELECT count(*) FROM t); END$$;");
    FencedPostgresFixture.SITE.notReady = "it is in recovery";
    FencedPostgresFixture.SITE.inRecovery = true;
    try (PostgresServer replica = fenced.server().startReplica();
        Connection connection = fenced.connectBy(replica.url(FencedPostgresFixture.DATABASE))) {
      assertThat(FencedPostgresServer.query(connection, "SELECT reads()")).isEqualTo("0");
      assertThatThrownBy(() -> insert(connection)).hasMessageContaining("in recovery");
      replica.promote();

      assertThatThrownBy(() -> FencedPostgresServer.execute(connection, "SELECT writes()"))
          .hasMessageContaining("read-only");
      FencedPostgresFixture.SITE.inRecovery = false;
      FencedPostgresFixture.SITE.notReady = null;
      insert(connection);
      assertThat(FencedPostgresServer.query(connection, "SELECT reads()")).isEqualTo("1");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"extended", "simple"})
  void overloadedFunctionsOfAnotherRoleAreNotCalled(String mode) throws SQLException {
    fenced.execute(FencedPostgresServer.OVERLOADS);
    try (Connection connection = fenced.connect("preferQueryMode", mode)) {
      FencedPostgresServer.execute(connection, "INSERT INTO t (n) VALUES (1)");
      FencedPostgresServer.execute(connection, "VACUUM t");
      fenced.takeOver();

      for (String text : new String[] {"INSERT INTO t (n) VALUES (1)", "CALL commits()"}) {
        assertThatThrownBy(() -> FencedPostgresServer.execute(connection, text))
            .isInstanceOf(StaleEpochException.class);
      }
    } finally {
      fenced.execute(FencedPostgresServer.NO_OVERLOADS);
    }
    assertThat(fenced.rows()).isEqualTo(1);
  }
}

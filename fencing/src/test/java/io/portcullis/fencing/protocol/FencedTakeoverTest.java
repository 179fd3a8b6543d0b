package io.portcullis.fencing.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.portcullis.fencing.protocol.FencedDatabaseStub.StaleEpochException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Another node takes over while requests are in progress. */
class FencedTakeoverTest {
  private static final Duration LONG = Duration.ofMinutes(2);

  @BeforeAll
  static void define() throws SQLException {
    FencedPostgresFixture.execute(
        "CREATE TABLE IF NOT EXISTS barrier ();"
            + "CREATE OR REPLACE PROCEDURE commits_and_waits() LANGUAGE plpgsql AS "
            + "$$BEGIN INSERT INTO t (n) VALUES (1); COMMIT; PERFORM count(*) FROM barrier;"
            + " INSERT INTO t (n) VALUES (2); COMMIT; END$$;");
  }

  @BeforeEach
  void reset() throws SQLException {
    FencedPostgresFixture.reset();
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String pid(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT pg_backend_pid()")) {
      assertThat(rows.next()).isTrue();
      return rows.getString(1);
    }
  }

  /** Blocks readers of the table until this is closed. */
  private record Barrier(Connection admin) implements AutoCloseable {
    static Barrier lower() throws SQLException {
      Connection admin = FencedPostgresFixture.unfenced();
      admin.setAutoCommit(false);
      execute(admin, "LOCK TABLE barrier");
      return new Barrier(admin);
    }

    @Override
    public void close() throws SQLException {
      admin.close();
    }
  }

  private interface Work {
    void run() throws SQLException;
  }

  private static CompletableFuture<Void> inBackground(Work work) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            work.run();
          } catch (SQLException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  private static void awaitWaiting(String pid) {
    await()
        .atMost(LONG)
        .until(
            () ->
                FencedPostgresFixture.query("SELECT pg_blocking_pids(" + pid + ") <> '{}'")
                    .equals("t"));
  }

  /** Returns once the installer waits for this session, or does not wait at all. */
  private static CompletableFuture<Void> installAgainst(String pid) {
    CompletableFuture<Void> installer = inBackground(FencedPostgresFixture::install);
    await()
        .atMost(LONG)
        .until(
            () ->
                installer.isDone()
                    || FencedPostgresFixture.query(
                            "SELECT count(*) FROM pg_stat_activity WHERE "
                                + pid
                                + " = ANY (pg_blocking_pids(pid))")
                        .equals("1"));
    return installer;
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        Connection.TRANSACTION_READ_UNCOMMITTED,
        Connection.TRANSACTION_READ_COMMITTED,
        Connection.TRANSACTION_REPEATABLE_READ,
        Connection.TRANSACTION_SERIALIZABLE,
      })
  void installerWaitsForATransactionThatHasWritten(int isolation) throws Exception {
    try (Connection connection = FencedPostgresFixture.connect()) {
      connection.setTransactionIsolation(isolation);
      connection.setAutoCommit(false);
      String pid = pid(connection);
      execute(connection, "INSERT INTO t (n) VALUES (1)");

      CompletableFuture<Void> installer = installAgainst(pid);

      execute(connection, "INSERT INTO t (n) VALUES (2)");
      assertThat(installer).isNotDone();
      connection.commit();
      installer.get();
      assertThatThrownBy(() -> execute(connection, "INSERT INTO t (n) VALUES (3)"))
          .isInstanceOf(StaleEpochException.class);
      connection.rollback();
    }
    assertThat(FencedPostgresFixture.rows()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"extended", "simple"})
  void installerWaitsForAProcedureThatHasCommittedInside(String mode) throws Exception {
    try (Connection connection = FencedPostgresFixture.connect("preferQueryMode", mode)) {
      String pid = pid(connection);
      CompletableFuture<Void> called;
      CompletableFuture<Void> installer;
      try (Barrier barrier = Barrier.lower()) {
        called = inBackground(() -> execute(connection, "CALL commits_and_waits()"));
        awaitWaiting(pid);
        installer = installAgainst(pid);
        assertThat(installer).isNotDone();
        assertThat(barrier.admin().isClosed()).isFalse();
      }
      called.get();
      installer.get();
      assertThatThrownBy(() -> execute(connection, "CALL commits_and_waits()"))
          .isInstanceOf(StaleEpochException.class);
    }
    assertThat(FencedPostgresFixture.rows()).isEqualTo(2);
  }

  /** All of it is sent before any of it is answered. */
  @ParameterizedTest
  @CsvSource({
    "BEGIN; INSERT INTO t (n) VALUES (1), COMMIT, 1",
    "BEGIN; INSERT INTO t (n) VALUES (1), COMMIT AND CHAIN, 1",
    "BEGIN; SAVEPOINT a; INSERT INTO t (n) VALUES (1), ROLLBACK TO a, 0",
    "BEGIN; INSERT INTO t (n) VALUES (1), ROLLBACK; BEGIN, 0",
  })
  void statementAfterACommitInTheTextIsCheckedAgain(String before, String end, int rows)
      throws Exception {
    try (Connection connection = FencedPostgresFixture.connect()) {
      String pid = pid(connection);
      CompletableFuture<Void> sent;
      try (Barrier barrier = Barrier.lower()) {
        String text = before + ";" + end + "; SELECT count(*) FROM barrier";
        sent = inBackground(() -> execute(connection, text + "; INSERT INTO t (n) VALUES (2)"));
        awaitWaiting(pid);
        FencedPostgresFixture.install();
        assertThat(barrier.admin().isClosed()).isFalse();
      }

      assertThatThrownBy(sent::get).hasCauseInstanceOf(StaleEpochException.class);
    }
    assertThat(FencedPostgresFixture.rows()).isEqualTo(rows);
  }
}

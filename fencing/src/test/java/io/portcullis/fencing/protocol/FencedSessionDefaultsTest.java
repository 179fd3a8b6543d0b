package io.portcullis.fencing.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.portcullis.fencing.protocol.FencedDatabaseStub.StaleEpochException;
import io.portcullis.servers.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sessions with other transaction defaults, and standalone statements in them. */
@Tag("slow")
class FencedSessionDefaultsTest {
  private static final String INSTALL =
      "SELECT pg_advisory_xact_lock(hashtextextended('portcullis_fence:orders:writer', 0))";

  private static FencedPostgresServer fenced;

  @BeforeAll
  static void start() throws SQLException {
    fenced = FencedPostgresServer.on(PostgresServer.startLocal());
    fenced.execute(
        "CREATE PROCEDURE insists() LANGUAGE plpgsql AS $$BEGIN COMMIT;"
            + " SET TRANSACTION READ WRITE; INSERT INTO t (n) VALUES (1); COMMIT; END$$");
  }

  @AfterAll
  static void stop() {
    fenced.close();
  }

  @BeforeEach
  void reset() throws SQLException {
    fenced.reset();
  }

  private static Connection connect(String isolation, String readOnly, String mode)
      throws SQLException {
    return fenced.connect(
        "options",
        "-c default_transaction_isolation="
            + isolation.replace(" ", "\\ ")
            + " -c default_transaction_read_only="
            + readOnly,
        "preferQueryMode",
        mode);
  }

  @ParameterizedTest
  @CsvSource({
    "read committed, off, extended",
    "read committed, on, extended",
    "read committed, on, simple",
    "repeatable read, off, extended",
    "repeatable read, off, simple",
    "repeatable read, on, extended",
    "repeatable read, on, simple",
    "serializable, off, extended",
    "serializable, on, extended",
  })
  void standaloneStatementIsFencedWithAnyDefaults(String isolation, String readOnly, String mode)
      throws SQLException {
    try (Connection connection = connect(isolation, readOnly, mode)) {
      assertThat(FencedPostgresServer.query(connection, "SHOW transaction_isolation"))
          .isEqualTo(isolation);
      assertThat(FencedPostgresServer.query(connection, "SHOW transaction_read_only"))
          .isEqualTo(readOnly);
      FencedPostgresServer.execute(connection, "VACUUM t");
      FencedPostgresServer.execute(connection, "CALL insists()");
      assertThat(fenced.rows()).isEqualTo(1);
      assertThat(fenced.locks()).isZero();
      fenced.takeOver();

      assertThatThrownBy(() -> FencedPostgresServer.execute(connection, "VACUUM t"))
          .isInstanceOf(StaleEpochException.class);
      assertThatThrownBy(() -> FencedPostgresServer.execute(connection, "CALL insists()"))
          .isInstanceOf(StaleEpochException.class);
      assertThat(fenced.locks()).isZero();
      assertThat(FencedPostgresServer.query(connection, "SELECT count(*) FROM t")).isEqualTo("1");
      assertThat(FencedPostgresServer.query(connection, "SHOW transaction_isolation"))
          .isEqualTo(isolation);
      assertThat(FencedPostgresServer.query(connection, "SHOW transaction_read_only"))
          .isEqualTo(readOnly);
    }
    assertThat(fenced.rows()).isEqualTo(1);
  }

  /** By default its snapshot would be older than the lock for which it has waited. */
  @ParameterizedTest
  @ValueSource(strings = {"read committed", "repeatable read", "serializable"})
  void statementThatWaitedForATakeoverIsNotExecuted(String isolation) throws Exception {
    try (Connection connection = connect(isolation, "off", "extended");
        Connection installer = FencedPostgresFixture.unfenced(fenced.server())) {
      installer.setAutoCommit(false);
      FencedPostgresServer.execute(installer, INSTALL);
      CompletableFuture<Void> call =
          CompletableFuture.runAsync(
              () -> {
                try {
                  FencedPostgresServer.execute(connection, "CALL commits()");
                } catch (SQLException e) {
                  throw new IllegalStateException(e);
                }
              });
      await()
          .atMost(Duration.ofMinutes(2))
          .until(
              () ->
                  fenced
                      .query("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'advisory'")
                      .equals("1"));
      FencedPostgresServer.execute(
          installer, "UPDATE fences.fence SET epoch = 8, holder = 'node-b'");
      installer.commit();

      assertThatThrownBy(call::get).hasCauseInstanceOf(StaleEpochException.class);
      assertThat(fenced.rows()).isZero();
      assertThat(fenced.locks()).isZero();
      fenced.reset();
      FencedPostgresServer.execute(connection, "CALL commits()");
      assertThat(fenced.rows()).isEqualTo(2);
    }
  }

  /** The epoch check found nothing stale, so the database's own error is passed on. */
  @ParameterizedTest
  @ValueSource(strings = {"read committed", "repeatable read", "serializable"})
  void readOnlyDefaultFailsTheSameWithAndWithoutFence(String isolation) throws SQLException {
    try (Connection connection = connect(isolation, "on", "extended")) {
      assertThatThrownBy(
              () -> FencedPostgresServer.execute(connection, "INSERT INTO t (n) VALUES (1)"))
          .isInstanceOf(SQLException.class)
          .hasFieldOrPropertyWithValue("SQLState", "25006");
      connection.setAutoCommit(false);
      FencedPostgresServer.execute(connection, "SET TRANSACTION READ WRITE");
      FencedPostgresServer.execute(connection, "INSERT INTO t (n) VALUES (1)");
      connection.commit();
      fenced.takeOver();
      FencedPostgresServer.execute(connection, "SET TRANSACTION READ WRITE");
      assertThatThrownBy(
              () -> FencedPostgresServer.execute(connection, "INSERT INTO t (n) VALUES (1)"))
          .isInstanceOf(StaleEpochException.class);
      connection.rollback();
    }
    assertThat(fenced.rows()).isEqualTo(1);
  }
}

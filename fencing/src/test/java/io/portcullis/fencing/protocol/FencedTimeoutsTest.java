package io.portcullis.fencing.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.portcullis.fencing.protocol.FencedDatabaseStub.StaleEpochException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Objects;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Drivers whose timeout has expired while the server's response is still outstanding. */
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
@Tag("slow")
class FencedTimeoutsTest {
  private static final String INSERT = "INSERT INTO t (n) VALUES (1)";

  /** Two rows are sent at once; the third is not ready before the driver's timeout. */
  private static final String HALF_A_REPLY =
      "SELECT i, repeat('x', 10000), CASE i WHEN 3 THEN pg_sleep(20) END"
          + " FROM generate_series(1, 5) i";

  @BeforeEach
  void reset() throws SQLException {
    FencedPostgresFixture.reset();
  }

  private static Connection connect(String mode) throws SQLException {
    return FencedPostgresFixture.connect("preferQueryMode", mode);
  }

  /** From here on as if connected with {@code socketTimeout=1}. */
  private static void setShortTimeout(Connection connection) throws SQLException {
    connection.setNetworkTimeout(Runnable::run, 1000);
  }

  private static SQLException failure(ThrowingCallable call) {
    return Objects.requireNonNull(catchThrowableOfType(SQLException.class, call), "it passed");
  }

  private static void read(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(HALF_A_REPLY)) {
      while (rows.next()) {
        assertThat(rows.getString(2)).hasSize(10_000);
      }
    }
  }

  private static void end(String pid) throws SQLException {
    FencedPostgresFixture.execute("SELECT pg_terminate_backend(" + pid + ")");
    await()
        .atMost(Duration.ofMinutes(2))
        .until(
            () ->
                FencedPostgresFixture.query(
                        "SELECT count(*) FROM pg_stat_activity WHERE pid = " + pid)
                    .equals("0"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"extended", "simple"})
  void timeoutWithinAReplyBreaksTheConnectionAsUsual(String mode) throws SQLException {
    String withoutAFence;
    try (Connection plain = FencedPostgresFixture.unfenced()) {
      setShortTimeout(plain);
      withoutAFence = failure(() -> read(plain)).getSQLState();
      assertThat(plain.isClosed()).isTrue();
    }

    int before = FencedPostgresFixture.connections();
    Connection connection = connect(mode);
    String pid = FencedPostgresServer.query(connection, "SELECT pg_backend_pid()");
    setShortTimeout(connection);
    assertThat(failure(() -> read(connection)).getSQLState()).isEqualTo(withoutAFence);

    assertThat(connection.isClosed()).isTrue();
    assertThat(connection.isValid(1)).isFalse();
    failure(() -> FencedPostgresServer.execute(connection, INSERT));
    assertThat(FencedPostgresFixture.connections()).isEqualTo(before);
    end(pid);
    try (Connection next = connect(mode)) {
      FencedPostgresServer.execute(next, INSERT);
    }
    assertThat(FencedPostgresFixture.rows()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"extended", "simple"})
  void timedOutTransactionWritesNothingAfterATakeover(String mode) throws SQLException {
    Connection connection = connect(mode);
    String pid = FencedPostgresServer.query(connection, "SELECT pg_backend_pid()");
    connection.setAutoCommit(false);
    FencedPostgresServer.execute(connection, INSERT);
    setShortTimeout(connection);
    failure(() -> read(connection));
    failure(() -> FencedPostgresServer.execute(connection, INSERT));
    failure(connection::commit);
    end(pid); // As an installer does to sessions that hold the fence's lock.
    FencedPostgresFixture.takeOver();

    try (Connection next = connect(mode)) {
      assertThatThrownBy(() -> FencedPostgresServer.execute(next, INSERT))
          .isInstanceOf(StaleEpochException.class);
      assertThat(FencedPostgresServer.query(next, "SELECT count(*) FROM t")).isEqualTo("0");
    }
    assertThat(FencedPostgresFixture.rows()).isZero();
  }

  /** The sent statement still waits on the server, and is refused when it runs. */
  @ParameterizedTest
  @ValueSource(strings = {INSERT, "CALL commits()", "VACUUM t"})
  void timeoutDuringEpochInstallWritesNothing(String text) throws SQLException {
    for (String mode : new String[] {"extended", "simple"}) {
      FencedPostgresFixture.reset();
      Connection connection = connect(mode);
      String pid = FencedPostgresServer.query(connection, "SELECT pg_backend_pid()");
      try (Connection installer = FencedPostgresFixture.unfenced()) {
        installer.setAutoCommit(false);
        FencedPostgresServer.execute(installer, FenceSql.LOCK);
        FencedPostgresServer.execute(
            installer, "UPDATE fences.fence SET epoch = 8, holder = 'node-b'");
        setShortTimeout(connection);
        failure(() -> FencedPostgresServer.execute(connection, text));
        assertThat(connection.isClosed()).isTrue();
        installer.commit();
      }

      await()
          .atMost(Duration.ofMinutes(2))
          .until(
              () ->
                  FencedPostgresFixture.query(
                          "SELECT count(*) FROM pg_stat_activity WHERE pid = " + pid)
                      .equals("0"));
      assertThat(FencedPostgresFixture.rows()).isZero();
      assertThat(
              FencedPostgresFixture.query(
                  "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"))
          .isEqualTo("0");
    }
  }

  @Test
  void statementCancelledInTimeLeavesTheConnectionUsable() throws SQLException {
    try (Connection connection = FencedPostgresFixture.connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute(INSERT);
      statement.setQueryTimeout(1);
      assertThat(failure(() -> statement.executeQuery(HALF_A_REPLY)).getSQLState())
          .isEqualTo("57014");
      connection.rollback();
      statement.setQueryTimeout(0);
      statement.execute(INSERT);
      connection.commit();
      FencedPostgresFixture.takeOver();
      assertThatThrownBy(() -> statement.execute(INSERT)).isInstanceOf(StaleEpochException.class);
      connection.rollback();
    }
    assertThat(FencedPostgresFixture.rows()).isEqualTo(1);
  }
}

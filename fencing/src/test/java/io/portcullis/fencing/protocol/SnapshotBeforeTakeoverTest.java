package io.portcullis.fencing.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.portcullis.fencing.protocol.FencedDatabaseStub.StaleEpochException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Transactions that took their snapshot before a takeover and continue after it. */
@Tag("slow")
class SnapshotBeforeTakeoverTest {
  /** All but the last take effect in a read-only transaction, at least on some servers. */
  private static final List<String> WRITES =
      List.of(
          "NOTIFY stale, 'late'",
          "SELECT pg_notify('stale', 'late')",
          "SELECT lo_unlink(4711)",
          "SELECT pg_logical_emit_message(true, 'stale', 'late')",
          "INSERT INTO t (n) VALUES (1)");

  @BeforeAll
  static void createLargeObject() throws SQLException {
    FencedPostgresFixture.execute(
        "SELECT lo_create(4711) WHERE NOT EXISTS"
            + " (SELECT FROM pg_largeobject_metadata WHERE oid = 4711)");
  }

  @BeforeEach
  void reset() throws SQLException {
    FencedPostgresFixture.reset();
  }

  static Stream<Arguments> isolationsAndAccessModes() {
    return IntStream.of(
            Connection.TRANSACTION_READ_UNCOMMITTED,
            Connection.TRANSACTION_READ_COMMITTED,
            Connection.TRANSACTION_REPEATABLE_READ,
            Connection.TRANSACTION_SERIALIZABLE)
        .boxed()
        .flatMap(each -> Stream.of(arguments(each, false), arguments(each, true)));
  }

  private static Connection begin(int isolation, boolean readOnly) throws SQLException {
    Connection connection = FencedPostgresFixture.connect();
    connection.setTransactionIsolation(isolation);
    connection.setReadOnly(readOnly);
    connection.setAutoCommit(false);
    return connection;
  }

  @ParameterizedTest
  @MethodSource("isolationsAndAccessModes")
  void writesAreRefusedAfterATakeover(int isolation, boolean readOnly) throws SQLException {
    try (Connection connection = begin(isolation, readOnly)) {
      for (String write : WRITES) {
        FencedPostgresFixture.reset();
        assertThat(FencedPostgresServer.query(connection, "SELECT count(*) FROM t")).isEqualTo("0");
        FencedPostgresFixture.install();

        Throwable failure = catchThrowable(() -> FencedPostgresServer.execute(connection, write));

        if (isolation < Connection.TRANSACTION_REPEATABLE_READ) {
          assertThat(failure).as(write).isInstanceOf(StaleEpochException.class);
        } else {
          assertThat(failure).as(write).hasFieldOrPropertyWithValue("SQLState", "40001");
        }
        connection.rollback();
      }
    }
    assertThat(FencedPostgresFixture.rows()).isZero();
    assertThat(
            FencedPostgresFixture.query(
                "SELECT count(*) FROM pg_largeobject_metadata WHERE oid = 4711"))
        .isEqualTo("1");
  }

  @ParameterizedTest
  @MethodSource("isolationsAndAccessModes")
  void leaderSendsNotificationsAndCallsFunctions(int isolation, boolean readOnly)
      throws SQLException {
    try (Connection connection = begin(isolation, readOnly)) {
      assertThat(FencedPostgresServer.query(connection, "SELECT reads()")).isEqualTo("0");
      FencedPostgresServer.execute(connection, "SELECT pg_notify('current', 'now')");
      FencedPostgresServer.execute(connection, "NOTIFY current, 'now'");
      connection.commit();
    }
  }
}

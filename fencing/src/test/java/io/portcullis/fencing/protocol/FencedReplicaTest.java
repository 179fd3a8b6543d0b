package io.portcullis.fencing.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.portcullis.servers.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A fenced connection to a hot standby that is recognized only by its own responses. */
@Tag("slow")
class FencedReplicaTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String READ_ONLY = "25006";
  private static final String NOT_READY = "nobody has looked yet";

  private static FencedPostgresServer primary;
  private static PostgresServer replica;

  @BeforeAll
  static void start() throws SQLException {
    primary = FencedPostgresServer.on(PostgresServer.startLocal());
    primary.execute(
        "CREATE FUNCTION reads() RETURNS bigint LANGUAGE plpgsql AS "
            + "$$BEGIN RETURN (SELECT count(*) FROM t); END$$;"
            + "CREATE FUNCTION writes() RETURNS int LANGUAGE plpgsql AS "
            + "$$BEGIN INSERT INTO t (n) VALUES (1); RETURN 1; END$$;");
    replica = replicaOf(primary);
  }

  private static PostgresServer replicaOf(FencedPostgresServer server) throws SQLException {
    PostgresServer started = server.server().startReplica();
    String position = server.query("SELECT pg_current_wal_lsn()");
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                started
                    .query("SELECT pg_last_wal_replay_lsn() >= '" + position + "'::pg_lsn")
                    .equals("t"));
    return started;
  }

  @AfterAll
  static void stop() {
    replica.close();
    primary.close();
  }

  @BeforeEach
  void reset() throws SQLException {
    FencedPostgresFixture.reset();
    FencedPostgresFixture.SITE.notReady = NOT_READY;
  }

  @AfterEach
  void tidy() throws SQLException {
    FencedPostgresFixture.reset();
  }

  private static Connection connect(PostgresServer server, String... properties)
      throws SQLException {
    return primary.connectBy(server.url(FencedPostgresFixture.DATABASE), properties);
  }

  private static int rows(PostgresServer server) throws SQLException {
    try (Connection admin = FencedPostgresFixture.unfenced(server)) {
      return Integer.parseInt(FencedPostgresServer.query(admin, "SELECT count(*) FROM t"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"extended", "extendedCacheEverything", "simple"})
  void readingFunctionsRunOnReplica(String mode) throws SQLException {
    try (Connection connection = connect(replica, "preferQueryMode", mode)) {
      for (int i = 0; i < 7; i++) {
        assertThat(FencedPostgresServer.query(connection, "SELECT reads()")).isEqualTo("0");
      }
      connection.setAutoCommit(false);
      assertThat(FencedPostgresServer.query(connection, "SELECT reads()")).isEqualTo("0");
      assertThat(FencedPostgresServer.query(connection, "SELECT reads() + 1")).isEqualTo("1");
      connection.commit();
    }
    assertThat(FencedPostgresFixture.SITE.refusedEpoch).isEqualTo(-1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"extended", "simple"})
  void writesOnReplicaFailWithServersSqlState(String mode) throws SQLException {
    try (Connection connection = connect(replica, "preferQueryMode", mode)) {
      for (String text :
          new String[] {"INSERT INTO t (n) VALUES (1)", "CALL commits()", "SELECT writes()"}) {
        assertThatThrownBy(() -> FencedPostgresServer.execute(connection, text))
            .isInstanceOfSatisfying(
                SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(READ_ONLY));
      }
      assertThat(FencedPostgresServer.query(connection, "SELECT reads()")).isEqualTo("0");
    }
  }

  /** Between the promotion and the server's next response the connection does not know of it. */
  @ParameterizedTest
  @ValueSource(strings = {"extended", "simple"})
  void promotionOfReplicaPermitsNoStaleWrite(String mode) throws SQLException {
    try (PostgresServer other = replicaOf(primary);
        Connection connection = connect(other, "preferQueryMode", mode)) {
      assertThat(FencedPostgresServer.query(connection, "SELECT reads()")).isEqualTo("0");
      other.promote();

      assertThatThrownBy(() -> FencedPostgresServer.execute(connection, "SELECT writes()"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(READ_ONLY));
      assertThat(rows(other)).isZero();
      assertThatThrownBy(() -> FencedPostgresServer.execute(connection, "SELECT writes()"))
          .hasMessageContaining(NOT_READY);
      FencedPostgresFixture.SITE.notReady = null;
      FencedPostgresServer.execute(connection, "SELECT writes()");
      FencedPostgresServer.execute(connection, "INSERT INTO t (n) VALUES (1)");
      assertThat(rows(other)).isEqualTo(2);
    }
  }

  @Test
  void promotionWithinTransactionPermitsNoWrite() throws SQLException {
    try (PostgresServer other = replicaOf(primary);
        Connection connection = connect(other)) {
      connection.setAutoCommit(false);
      assertThat(FencedPostgresServer.query(connection, "SELECT reads()")).isEqualTo("0");
      other.promote();

      assertThatThrownBy(() -> FencedPostgresServer.execute(connection, "SELECT writes()"))
          .isInstanceOf(SQLException.class);
      connection.rollback();
      assertThatThrownBy(() -> FencedPostgresServer.execute(connection, "INSERT INTO t VALUES (1)"))
          .hasMessageContaining(NOT_READY);
      connection.rollback();
      assertThat(rows(other)).isZero();
    }
  }
}

package io.portcullis.fencing.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.portcullis.fencing.FencedDatabase.CheckFunctions;
import io.portcullis.fencing.protocol.FencedDatabaseStub.StaleEpochException;
import io.portcullis.servers.PgBouncer;
import io.portcullis.servers.PostgresServer;
import io.portcullis.servers.TransactionPooler;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections to a pooler, which may assign another session to each transaction. */
class FencedPoolerTest {
  private static final String INSERT = "INSERT INTO t (n) VALUES (1)";
  private static final String BILLING = "billing:writer";

  /** An election of another service, which has a fence in the same table. */
  private static final CheckFunctions OTHERS =
      new CheckFunctions(
          FencedDatabaseStub.FUNCTIONS.check(),
          FencedDatabaseStub.FUNCTIONS.hold(),
          FencedDatabaseStub.FUNCTIONS.letGo(),
          BILLING);

  private static FencedPostgresServer fenced;

  @BeforeAll
  static void start() throws SQLException {
    fenced = FencedPostgresServer.on(PostgresServer.startLocal());
    fenced.execute("INSERT INTO fences.fence VALUES ('" + BILLING + "', 7, 'node-a', now())");
  }

  @AfterAll
  static void stop() {
    fenced.close();
  }

  @BeforeEach
  void reset() throws SQLException {
    fenced.reset();
  }

  private static PgBouncer bouncer(String... settings) {
    assumeTrue(
        PgBouncer.isInstalled(),
        "Fences behind a real pooler were not tried: this machine has no PgBouncer (Debian:"
            + " pgbouncer).");
    return PgBouncer.before(fenced.server(), settings);
  }

  /** Options for such a pooler: no prepared statements that outlive a transaction. */
  private static Connection by(PgBouncer bouncer, String mode) throws SQLException {
    return fenced.connectBy(
        bouncer.url(FencedPostgresFixture.DATABASE),
        "preferQueryMode",
        mode,
        "prepareThreshold",
        "0");
  }

  private static Connection by(TransactionPooler pooler) throws SQLException {
    return fenced.connectBy(pooler.url(), "prepareThreshold", "0");
  }

  @ParameterizedTest
  @CsvSource({
    "transaction, extended",
    "transaction, simple",
    "session, extended",
    "session, simple",
  })
  void leaderWritesThroughAPoolerAndAStaleNodeDoesNot(String pool, String mode)
      throws SQLException {
    try (PgBouncer bouncer = bouncer("pool_mode = " + pool);
        Connection connection = by(bouncer, mode);
        Connection other = by(bouncer, mode)) {
      for (int i = 0; i < 5; i++) {
        FencedPostgresServer.execute(connection, INSERT);
      }
      other.setAutoCommit(false);
      connection.setAutoCommit(false);
      for (int i = 0; i < 3; i++) {
        FencedPostgresServer.execute(connection, INSERT);
        FencedPostgresServer.execute(other, INSERT);
        FencedPostgresServer.execute(connection, INSERT);
        FencedPostgresServer.execute(other, INSERT);
        connection.commit();
        other.commit();
      }
      assertThat(fenced.rows()).isEqualTo(17);
      fenced.takeOver();

      for (Connection each : new Connection[] {connection, other}) {
        assertThatThrownBy(() -> FencedPostgresServer.execute(each, INSERT))
            .isInstanceOf(StaleEpochException.class);
        each.rollback();
        each.setAutoCommit(true);
        assertThatThrownBy(() -> FencedPostgresServer.execute(each, INSERT))
            .isInstanceOf(StaleEpochException.class);
        assertThat(FencedPostgresServer.query(each, "SELECT count(*) FROM t")).isEqualTo("17");
      }
      assertThat(fenced.rows()).isEqualTo(17);
    }
  }

  /**
   * Also for a pooler that keeps a session for each client, since it does not tell which session it
   * uses.
   */
  @ParameterizedTest
  @CsvSource({
    "transaction, extended",
    "transaction, simple",
    "session, extended",
    "session, simple",
  })
  void standaloneStatementIsRefusedUnlessItCanRunInATransaction(String pool, String mode)
      throws SQLException {
    try (PgBouncer bouncer = bouncer("pool_mode = " + pool);
        Connection connection = by(bouncer, mode)) {
      for (String text :
          new String[] {
            "VACUUM t", "CREATE INDEX CONCURRENTLY i ON t (n)", "CALL commits()", "DO 'BEGIN END'"
          }) {
        assertThatThrownBy(() -> FencedPostgresServer.execute(connection, text))
            .isInstanceOf(SQLException.class)
            .hasFieldOrPropertyWithValue("SQLState", "PCF03")
            .hasMessageContaining("pooler");
      }
      assertThat(fenced.locks()).isZero();
      connection.setAutoCommit(false);
      FencedPostgresServer.execute(connection, "DO 'BEGIN INSERT INTO t (n) VALUES (1); END'");
      connection.commit();
      fenced.takeOver();
      assertThatThrownBy(() -> FencedPostgresServer.execute(connection, "DO 'BEGIN END'"))
          .isInstanceOf(StaleEpochException.class);
      connection.rollback();
    }
    assertThat(fenced.rows()).isEqualTo(1);
  }

  /** With autocommit the driver retries once, as after any such error. */
  @Test
  void checkDiscardedByThePoolerIsPreparedAgain() throws SQLException {
    try (PgBouncer bouncer =
            bouncer(
                "pool_mode = transaction",
                "default_pool_size = 1",
                "server_reset_query = DISCARD ALL",
                "server_reset_query_always = 1");
        Connection connection = by(bouncer, "extended")) {
      for (int i = 0; i < 4; i++) {
        FencedPostgresServer.execute(connection, INSERT);
      }
      fenced.takeOver();
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> FencedPostgresServer.execute(connection, INSERT))
            .isInstanceOf(StaleEpochException.class);
      }
    }
    assertThat(fenced.rows()).isEqualTo(4);
  }

  @Test
  void checkLostInThePoolerFailsOneTransactionOnly() throws Exception {
    try (TransactionPooler pooler =
            TransactionPooler.before(fenced.server(), FencedPostgresFixture.DATABASE, 1);
        Connection connection = by(pooler);
        Connection other = by(pooler)) {
      FencedPostgresServer.execute(connection, INSERT);
      connection.setAutoCommit(false);
      FencedPostgresServer.execute(other, "DISCARD ALL");

      assertThatThrownBy(() -> FencedPostgresServer.execute(connection, INSERT))
          .isInstanceOf(SQLException.class)
          .hasFieldOrPropertyWithValue("SQLState", "26000");
      connection.rollback();
      for (int i = 0; i < 3; i++) {
        FencedPostgresServer.execute(other, "DISCARD ALL");
        FencedPostgresServer.execute(connection, INSERT);
        FencedPostgresServer.execute(connection, INSERT);
        connection.commit();
      }
      fenced.takeOver();
      FencedPostgresServer.execute(other, "DISCARD ALL");
      assertThatThrownBy(() -> FencedPostgresServer.execute(connection, INSERT))
          .isInstanceOf(StaleEpochException.class);
      connection.rollback();
    }
    assertThat(fenced.rows()).isEqualTo(7);
  }

  @Test
  void discardedSessionServesTheNextClient() throws SQLException {
    try (PgBouncer bouncer =
        bouncer(
            "pool_mode = session", "default_pool_size = 1", "server_reset_query = DISCARD ALL")) {
      String pid = "";
      for (int i = 0; i < 3; i++) {
        try (Connection connection = by(bouncer, "extended")) {
          String now = FencedPostgresServer.query(connection, "SELECT pg_backend_pid()");
          assertThat(now).isEqualTo(i == 0 ? now : pid);
          pid = now;
          FencedPostgresServer.execute(connection, INSERT);
          FencedPostgresServer.execute(connection, INSERT);
        }
      }
      fenced.takeOver();
      try (Connection connection = by(bouncer, "extended")) {
        assertThatThrownBy(() -> FencedPostgresServer.execute(connection, INSERT))
            .isInstanceOf(StaleEpochException.class);
      }
    }
    assertThat(fenced.rows()).isEqualTo(6);
  }

  @Test
  void checkPreparedByAnotherServiceIsNotReused() throws SQLException {
    try (PgBouncer bouncer = bouncer("pool_mode = transaction", "default_pool_size = 1");
        Connection own = by(bouncer, "extended");
        Connection others = by(bouncer, "extended")) {
      assertChecksAreToldApart(own, others);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void checksOfServicesDifferBehindAnySessionPooler(int backends) throws Exception {
    try (TransactionPooler pooler =
            TransactionPooler.before(fenced.server(), FencedPostgresFixture.DATABASE, backends);
        Connection own = by(pooler);
        Connection others = by(pooler)) {
      assertChecksAreToldApart(own, others);
    }
  }

  /** The other service still leads under the epoch that this one has lost. */
  private static void assertChecksAreToldApart(Connection own, Connection others)
      throws SQLException {
    FencedPostgresServer.execute(own, INSERT);
    FencedPostgresFixture.SITE.functions = OTHERS;
    FencedPostgresServer.execute(others, INSERT);
    FencedPostgresFixture.SITE.functions = FencedDatabaseStub.FUNCTIONS;
    FencedPostgresServer.execute(own, INSERT);
    assertThat(fenced.rows()).isEqualTo(3);
    fenced.takeOver();
    FencedPostgresFixture.SITE.functions = OTHERS;
    FencedPostgresServer.execute(others, INSERT);
    FencedPostgresFixture.SITE.functions = FencedDatabaseStub.FUNCTIONS;

    assertThatThrownBy(() -> FencedPostgresServer.execute(own, INSERT))
        .isInstanceOf(StaleEpochException.class);
    assertThat(fenced.rows()).isEqualTo(4);
  }
}

package io.portcullis.fencing.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.fencing.protocol.FencedDatabaseStub.StaleEpochException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The locks that the server holds for a transaction, and the epoch that it is checked with. */
class FencedTransactionsTest {
  @BeforeEach
  void reset() throws SQLException {
    FencedPostgresFixture.reset();
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String query(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return rows.next() ? rows.getString(1) : "";
    }
  }

  private static Connection inTransaction(int isolation) throws SQLException {
    Connection connection = FencedPostgresFixture.connect();
    connection.setTransactionIsolation(isolation);
    connection.setAutoCommit(false);
    return connection;
  }

  @ParameterizedTest
  @ValueSource(ints = {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE})
  void oldSnapshotDoesNotShowAnOldEpoch(int isolation) throws SQLException {
    try (Connection connection = inTransaction(isolation)) {
      assertThat(query(connection, "SELECT count(*) FROM t")).isEqualTo("0");
      FencedPostgresFixture.takeOver();

      assertThatThrownBy(() -> execute(connection, "INSERT INTO t (n) VALUES (1)"))
          .isInstanceOf(SQLException.class)
          .hasFieldOrPropertyWithValue("SQLState", "40001");
      connection.rollback();
      assertThatThrownBy(() -> execute(connection, "INSERT INTO t (n) VALUES (1)"))
          .isInstanceOf(StaleEpochException.class);
      connection.rollback();
    }
    assertThat(FencedPostgresFixture.rows()).isZero();
  }

  @Test
  void epochOfTheOutermostCallCountsAfterReelection() throws SQLException {
    FencedPostgresFixture.execute("UPDATE fences.fence SET epoch = 9, holder = 'node-a'");
    FencedPostgresFixture.SITE.open = 9;
    FencedPostgresFixture.SITE.pinned = 7;
    try (Connection connection = FencedPostgresFixture.connect()) {
      assertThatThrownBy(() -> execute(connection, "INSERT INTO t (n) VALUES (1)"))
          .isInstanceOf(StaleEpochException.class)
          .hasMessageContaining("epoch 7");
      assertThatThrownBy(() -> execute(connection, "CALL commits()"))
          .isInstanceOf(StaleEpochException.class);
      FencedPostgresFixture.SITE.pinned = 0;
      execute(connection, "INSERT INTO t (n) VALUES (1)");
    }
    assertThat(FencedPostgresFixture.rows()).isEqualTo(1);
  }

  @Test
  void transactionKeepsTheEpochUnderWhichItBegan() throws SQLException {
    try (Connection connection = inTransaction(Connection.TRANSACTION_READ_COMMITTED)) {
      assertThat(query(connection, "SELECT count(*) FROM t")).isEqualTo("0");
      FencedPostgresFixture.execute("UPDATE fences.fence SET epoch = 9, holder = 'node-a'");
      FencedPostgresFixture.SITE.open = 9;

      assertThatThrownBy(() -> execute(connection, "INSERT INTO t (n) VALUES (1)"))
          .isInstanceOf(StaleEpochException.class)
          .hasMessageContaining("epoch 7");
      connection.rollback();
      execute(connection, "INSERT INTO t (n) VALUES (1)");
      connection.commit();
    }
    assertThat(FencedPostgresFixture.rows()).isEqualTo(1);
  }

  @Test
  void nodeThatDoesNotLeadReadsAndDoesNotWrite() throws SQLException {
    FencedPostgresFixture.SITE.open = 0;
    try (Connection connection = FencedPostgresFixture.connect()) {
      assertThat(query(connection, "SELECT count(*) FROM t")).isEqualTo("0");
      assertThatThrownBy(() -> execute(connection, "INSERT INTO t (n) VALUES (1)"))
          .isInstanceOf(StaleEpochException.class);
    }
  }

  @Test
  void fenceWithLostDataIsReported() throws SQLException {
    FencedPostgresFixture.execute("UPDATE fences.fence SET epoch = 5");
    try (Connection connection = FencedPostgresFixture.connect()) {
      assertThatThrownBy(() -> execute(connection, "INSERT INTO t (n) VALUES (1)"))
          .isInstanceOf(StaleEpochException.class);
    }
    assertThat(FencedPostgresFixture.SITE.forgotten).isTrue();
    assertThat(FencedPostgresFixture.SITE.refusedEpoch).isEqualTo(7);
  }

  @Test
  void readOnlyTransactionsAreNeitherCheckedNorRefused() throws SQLException {
    FencedPostgresFixture.takeOver();
    int asked = FencedPostgresFixture.SITE.asked.get();
    try (Connection connection = inTransaction(Connection.TRANSACTION_REPEATABLE_READ)) {
      connection.setReadOnly(true);
      assertThat(query(connection, "SELECT count(*) FROM t")).isEqualTo("0");
      assertThat(query(connection, "SELECT max(n) FROM t")).isNull();
      connection.commit();
      assertThat(FencedPostgresFixture.SITE.asked.get()).isEqualTo(asked);
      assertThat(query(connection, "SELECT reads()")).isEqualTo("0");
      connection.commit();
    }
  }

  @Test
  void oneCheckServesAWholeTransaction() throws SQLException {
    int asked = FencedPostgresFixture.SITE.asked.get();
    try (Connection connection = inTransaction(Connection.TRANSACTION_READ_COMMITTED)) {
      for (int i = 0; i < 5; i++) {
        execute(connection, "INSERT INTO t (n) VALUES (1)");
      }
      connection.commit();
      assertThat(FencedPostgresFixture.SITE.asked.get()).isEqualTo(asked + 1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"always", "conservative"})
  void automaticSavepointsDoNotHideARefusal(String autosave) throws SQLException {
    try (Connection connection = FencedPostgresFixture.connect("autosave", autosave)) {
      connection.setAutoCommit(false);
      execute(connection, "INSERT INTO t (n) VALUES (1)");
      assertThatThrownBy(() -> execute(connection, "INSERT INTO missing VALUES (1)"))
          .isInstanceOf(SQLException.class);
      if (autosave.equals("always")) {
        execute(connection, "INSERT INTO t (n) VALUES (2)");
        connection.commit();
      } else {
        connection.rollback();
      }
      FencedPostgresFixture.takeOver();

      assertThatThrownBy(() -> execute(connection, "INSERT INTO t (n) VALUES (3)"))
          .isInstanceOf(StaleEpochException.class);
      connection.rollback();
    }
    assertThat(FencedPostgresFixture.rows()).isEqualTo(autosave.equals("always") ? 2 : 0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"SELECT writes()", "FETCH ALL IN c", "SELECT 1; SELECT writes()"})
  void checkIsRepeatedAfterAReadOnlySavepoint(String text) throws SQLException {
    FencedPostgresFixture.takeOver();
    for (String mode : new String[] {"extended", "simple"}) {
      try (Connection connection = FencedPostgresFixture.connect("preferQueryMode", mode)) {
        connection.setAutoCommit(false);
        Savepoint savepoint = connection.setSavepoint();
        assertThat(query(connection, "SELECT reads()")).isEqualTo("0");
        execute(connection, "DECLARE c CURSOR FOR SELECT writes()");
        connection.releaseSavepoint(savepoint);

        assertThatThrownBy(() -> execute(connection, text))
            .isInstanceOf(SQLException.class)
            .hasMessageContaining("read-only");
        connection.rollback();
        assertThatThrownBy(
                () ->
                    execute(connection, "SAVEPOINT a; SELECT reads(); RELEASE a; SELECT writes()"))
            .isInstanceOfAny(SQLException.class, StaleEpochException.class);
        connection.rollback();
      }
    }
    assertThat(FencedPostgresFixture.rows()).isZero();
  }

  /** In a read-only transaction the check takes no lock, so it proves little. */
  @ParameterizedTest
  @ValueSource(ints = {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE})
  void checkWithinAReadOnlySavepointIsRepeatedBehindIt(int isolation) throws SQLException {
    try (Connection connection = inTransaction(isolation)) {
      Savepoint savepoint = connection.setSavepoint();
      execute(connection, "SET TRANSACTION READ ONLY");
      execute(connection, "EXPLAIN ANALYZE SELECT 1");
      connection.releaseSavepoint(savepoint);
      FencedPostgresFixture.takeOver();

      assertThatThrownBy(() -> execute(connection, "INSERT INTO t (n) VALUES (1)"))
          .isInstanceOfAny(SQLException.class, StaleEpochException.class);
      connection.rollback();
    }
    assertThat(FencedPostgresFixture.rows()).isZero();
  }

  @Test
  void notifyIsAWriteAlsoAsAFunction() throws SQLException {
    FencedPostgresFixture.takeOver();
    try (Connection connection = FencedPostgresFixture.connect()) {
      assertThatThrownBy(() -> query(connection, "SELECT pg_notify('news', 'stale')"))
          .isInstanceOf(StaleEpochException.class);
    }
  }

  @Test
  void rowsAreFetchedInPortionsAndKeysAreGenerated() throws SQLException {
    try (Connection connection = inTransaction(Connection.TRANSACTION_READ_COMMITTED)) {
      try (PreparedStatement insert =
          connection.prepareStatement(
              "INSERT INTO t (n) SELECT generate_series(1, 100)",
              Statement.RETURN_GENERATED_KEYS)) {
        insert.executeUpdate();
        int keys = 0;
        try (ResultSet generated = insert.getGeneratedKeys()) {
          while (generated.next()) {
            keys++;
          }
        }
        assertThat(keys).isEqualTo(100);
      }
      connection.commit();
      FencedPostgresFixture.takeOver();
      try (Statement statement = connection.createStatement()) {
        statement.setFetchSize(7);
        try (ResultSet rows = statement.executeQuery("SELECT n FROM t ORDER BY n")) {
          for (int i = 1; i <= 100; i++) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getInt(1)).isEqualTo(i);
          }
        }
      }
      connection.rollback();
    }
  }

  @Test
  void connectionsAreCounted() throws SQLException {
    int before = FencedPostgresFixture.connections();
    try (Connection connection = FencedPostgresFixture.connect()) {
      assertThat(connection.isValid(5)).isTrue();
      assertThat(FencedPostgresFixture.connections()).isEqualTo(before + 1);
      try (Connection unfenced = FencedPostgresFixture.unfenced()) {
        assertThat(unfenced.isValid(5)).isTrue();
        assertThat(FencedPostgresFixture.connections()).isEqualTo(before + 1);
      }
    }
    assertThat(FencedPostgresFixture.connections()).isEqualTo(before);
    Connection aborted = FencedPostgresFixture.connect();
    aborted.abort(Runnable::run);
    assertThat(FencedPostgresFixture.connections()).isEqualTo(before);
  }
}

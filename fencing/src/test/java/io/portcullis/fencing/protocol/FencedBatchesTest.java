package io.portcullis.fencing.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.fencing.protocol.FencedDatabaseStub.StaleEpochException;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Batches, which a driver sends in as few pieces as it can. */
class FencedBatchesTest {
  private static final String INSERT = "INSERT INTO t (n) VALUES (1)";

  @BeforeEach
  void reset() throws SQLException {
    FencedPostgresFixture.reset();
  }

  private static void batch(Connection connection, int rows) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO t (n, s) VALUES (?, ?)")) {
      for (int i = 0; i < rows; i++) {
        insert.setInt(1, i);
        insert.setString(2, "x".repeat(i % 100));
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "3, true, extended, false",
    "3000, true, extended, false",
    "3, false, extended, false",
    "3000, false, extended, false",
    "3000, true, extended, true",
    "3000, false, extended, true",
    "300, true, simple, false",
    "300, false, simple, true",
    "3000, true, extendedCacheEverything, false",
  })
  void batchesAreFenced(int rows, boolean autoCommit, String mode, boolean rewrite)
      throws SQLException {
    try (Connection connection =
        FencedPostgresFixture.connect(
            "preferQueryMode", mode, "reWriteBatchedInserts", Boolean.toString(rewrite))) {
      connection.setAutoCommit(autoCommit);
      batch(connection, rows);
      if (!autoCommit) {
        connection.commit();
      }
      assertThat(FencedPostgresFixture.rows()).isEqualTo(rows);
      FencedPostgresFixture.takeOver();

      assertThatThrownBy(() -> batch(connection, rows)).isInstanceOf(StaleEpochException.class);
      if (!autoCommit) {
        connection.rollback();
      }
      try (Statement statement = connection.createStatement();
          ResultSet count = statement.executeQuery("SELECT count(*) FROM t")) {
        assertThat(count.next()).isTrue();
        assertThat(count.getInt(1)).isEqualTo(rows);
      }
      assertThat(FencedPostgresFixture.rows()).isEqualTo(rows);
    }
  }

  @Test
  void batchOfKeysIsFenced() throws SQLException {
    try (Connection connection = FencedPostgresFixture.connect();
        PreparedStatement insert =
            connection.prepareStatement(
                "INSERT INTO t (n) VALUES (?)", Statement.RETURN_GENERATED_KEYS)) {
      for (int i = 0; i < 500; i++) {
        insert.setInt(1, i);
        insert.addBatch();
      }
      insert.executeBatch();
      FencedPostgresFixture.takeOver();

      insert.setInt(1, 500);
      insert.addBatch();
      insert.addBatch();
      assertThatThrownBy(insert::executeBatch).isInstanceOf(StaleEpochException.class);
    }
    assertThat(FencedPostgresFixture.rows()).isEqualTo(500);
  }

  @Test
  void refusedStatementRollsItsGroupBackLikeAnyError() throws SQLException {
    try (Connection connection = FencedPostgresFixture.connect();
        Statement statement = connection.createStatement()) {
      statement.addBatch("INSERT INTO t (n) VALUES (1)");
      statement.addBatch("CALL commits()");

      assertThatThrownBy(statement::executeBatch)
          .isInstanceOf(BatchUpdateException.class)
          .hasFieldOrPropertyWithValue("SQLState", "PCF03");

      statement.executeUpdate("INSERT INTO t (n) VALUES (1)");
    }
    assertThat(FencedPostgresFixture.rows()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"simple", "extendedForPrepared"})
  void queriesAfterAStandaloneStatementAreCheckedToo(String mode) throws SQLException {
    try (Connection connection = FencedPostgresFixture.connect("preferQueryMode", mode);
        Statement statement = connection.createStatement()) {
      for (String text : List.of("VACUUM t", "CALL commits()", INSERT, "CALL commits()", INSERT)) {
        statement.addBatch(text);
      }
      assertThat(statement.executeBatch()).hasSize(5);
      assertThat(FencedPostgresFixture.rows()).isEqualTo(6);
      assertThat(
              FencedPostgresFixture.query(
                  "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"))
          .isEqualTo("0");
      FencedPostgresFixture.takeOver();

      for (String text : List.of("SELECT 1 / 0", "CALL commits()", INSERT, "VACUUM t")) {
        statement.addBatch(text);
      }
      assertThatThrownBy(statement::executeBatch).isInstanceOf(Exception.class);
      assertThatThrownBy(() -> statement.execute(INSERT)).isInstanceOf(StaleEpochException.class);
    }
    assertThat(FencedPostgresFixture.rows()).isEqualTo(6);
  }

  @Test
  void errorBeforeTheCheckIsTheDriversOwn() throws SQLException {
    try (Connection connection = FencedPostgresFixture.connect();
        Statement statement = connection.createStatement()) {
      statement.addBatch("SELECT 1 / 0");
      statement.addBatch("INSERT INTO t (n) VALUES (1)");

      assertThatThrownBy(statement::executeBatch)
          .isInstanceOf(BatchUpdateException.class)
          .hasFieldOrPropertyWithValue("SQLState", "22012");

      // In a transaction the driver does not retry a failed statement.
      connection.setAutoCommit(false);
      statement.executeUpdate("INSERT INTO t (n) VALUES (1)");
      connection.commit();
    }
    assertThat(FencedPostgresFixture.rows()).isEqualTo(1);
  }
}

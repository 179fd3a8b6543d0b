package io.portcullis.fencing.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.fencing.protocol.FencedDatabaseStub.StaleEpochException;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Drivers of earlier versions, each in a loader of its own. */
@Tag("slow")
class OlderDriversTest {
  @BeforeEach
  void reset() throws SQLException {
    FencedPostgresFixture.reset();
  }

  private static void insert(Connection connection) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement("INSERT INTO t (n) VALUES (?)")) {
      insert.setInt(1, 1);
      insert.executeUpdate();
    }
  }

  private static void batch(Connection connection) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement("INSERT INTO t (n) VALUES (?)")) {
      for (int i = 0; i < 1000; i++) {
        insert.setInt(1, i);
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  private static int count(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT count(*) FROM t")) {
      assertThat(rows.next()).isTrue();
      return rows.getInt(1);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "42.2.29, extended",
    "42.2.29, simple",
    "42.4.5, extended",
    "42.5.6, extended",
    "42.5.6, simple",
    "42.6.2, extended",
  })
  void olderDriverIsFencedLikeTheLatest(String version, String mode) throws Exception {
    try (DriverClassLoader loader = DriverClassLoader.ofVersion(version);
        Connection connection = loader.connect(mode)) {
      assertThat(connection.getMetaData().getDriverVersion()).isEqualTo(version);
      for (int i = 0; i < 5; i++) {
        insert(connection);
      }
      batch(connection);
      execute(connection, "CALL commits()");
      connection.setAutoCommit(false);
      insert(connection);
      Savepoint savepoint = connection.setSavepoint();
      insert(connection);
      connection.rollback(savepoint);
      insert(connection);
      connection.commit();
      assertThat(count(connection)).isEqualTo(1009);
      connection.commit();
      FencedPostgresFixture.takeOver();

      assertThatThrownBy(() -> insert(connection)).isInstanceOf(StaleEpochException.class);
      connection.rollback();
      assertThatThrownBy(() -> batch(connection)).isInstanceOf(StaleEpochException.class);
      connection.rollback();
      connection.setAutoCommit(true);
      assertThatThrownBy(() -> insert(connection)).isInstanceOf(StaleEpochException.class);
      assertThatThrownBy(() -> batch(connection)).isInstanceOf(StaleEpochException.class);
      assertThatThrownBy(() -> execute(connection, "CALL commits()"))
          .isInstanceOf(StaleEpochException.class);
      assertThat(count(connection)).isEqualTo(1009);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    assertThat(FencedPostgresFixture.rows()).isEqualTo(1009);
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}

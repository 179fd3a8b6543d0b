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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Writes of an application through a woven driver, in each query mode of the driver. */
@Tag("slow")
class FencedDriverTest {
  @BeforeEach
  void reset() throws SQLException {
    FencedPostgresFixture.reset();
  }

  private static Connection connect(String mode) throws SQLException {
    return FencedPostgresFixture.connect("preferQueryMode", mode, "prepareThreshold", "2");
  }

  private static void insert(Connection connection, int n) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement("INSERT INTO t (n) VALUES (?)")) {
      insert.setInt(1, n);
      insert.executeUpdate();
    }
  }

  private static int count(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT count(*) FROM t")) {
      rows.next();
      return rows.getInt(1);
    }
  }

  private static int pid(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT pg_backend_pid()")) {
      rows.next();
      return rows.getInt(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"extended", "extendedForPrepared", "extendedCacheEverything", "simple"})
  void writesOfTheLeaderSucceed(String mode) throws SQLException {
    try (Connection connection = connect(mode)) {
      for (int i = 0; i < 8; i++) {
        insert(connection, i);
        assertThat(count(connection)).isEqualTo(i + 1);
      }
      connection.setAutoCommit(false);
      for (int i = 0; i < 8; i++) {
        insert(connection, i);
        insert(connection, i);
        connection.commit();
      }
      assertThat(count(connection)).isEqualTo(24);
      connection.rollback();
    }

    assertThat(FencedPostgresFixture.rows()).isEqualTo(24);
  }

  @ParameterizedTest
  @ValueSource(strings = {"extended", "extendedForPrepared", "extendedCacheEverything", "simple"})
  void staleWritesAreRefusedAndTheConnectionStaysUsable(String mode) throws SQLException {
    try (Connection connection = connect(mode)) {
      int pid = pid(connection);
      insert(connection, 1);
      FencedPostgresFixture.takeOver();

      for (int i = 0; i < 5; i++) {
        assertThatThrownBy(() -> insert(connection, 2)).isInstanceOf(StaleEpochException.class);
        assertThat(count(connection)).isEqualTo(1);
      }
      connection.setAutoCommit(false);
      for (int i = 0; i < 5; i++) {
        assertThat(count(connection)).isEqualTo(1);
        assertThatThrownBy(() -> insert(connection, 2)).isInstanceOf(StaleEpochException.class);
        connection.rollback();
      }
      assertThat(FencedPostgresFixture.SITE.refusedEpoch).isEqualTo(7);

      FencedPostgresFixture.reset();
      insert(connection, 3);
      connection.commit();
      assertThat(pid(connection)).isEqualTo(pid);
    }
    assertThat(FencedPostgresFixture.rows()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"extended", "simple"})
  void rollbackToASavepointCausesANewCheck(String mode) throws SQLException {
    try (Connection connection = connect(mode)) {
      connection.setAutoCommit(false);
      Savepoint savepoint = connection.setSavepoint();
      insert(connection, 1);
      connection.rollback(savepoint);
      FencedPostgresFixture.takeOver();

      assertThatThrownBy(() -> insert(connection, 2)).isInstanceOf(StaleEpochException.class);

      connection.rollback();
    }
    assertThat(FencedPostgresFixture.rows()).isZero();
  }
}

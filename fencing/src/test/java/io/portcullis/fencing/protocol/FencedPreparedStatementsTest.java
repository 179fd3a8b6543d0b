package io.portcullis.fencing.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.fencing.protocol.FencedDatabaseStub.StaleEpochException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Transactions of statements that the server keeps prepared, as in any service that has run for a
 * while: the driver then sends BEGIN, the first statement's values and nothing else.
 */
@Tag("slow")
class FencedPreparedStatementsTest {
  private static final String INSERT = "INSERT INTO t (id, n) VALUES (?, 1)";
  private static final int ENOUGH = 4;

  private int next = 1;

  @BeforeEach
  void reset() throws SQLException {
    FencedPostgresFixture.reset();
  }

  private static Connection connect() throws SQLException {
    Connection connection = FencedPostgresFixture.connect("prepareThreshold", "1");
    connection.setAutoCommit(false);
    return connection;
  }

  private void insert(PreparedStatement insert) throws SQLException {
    insert.setInt(1, next);
    insert.executeUpdate();
    next++;
  }

  private void insertOften(Connection connection, PreparedStatement insert) throws SQLException {
    for (int i = 0; i < ENOUGH; i++) {
      insert(insert);
      insert(insert);
      connection.commit();
    }
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        Connection.TRANSACTION_READ_UNCOMMITTED,
        Connection.TRANSACTION_READ_COMMITTED,
        Connection.TRANSACTION_REPEATABLE_READ,
        Connection.TRANSACTION_SERIALIZABLE,
      })
  void eachTransactionIsCheckedAndRefusedAfterATakeover(int isolation) throws SQLException {
    try (Connection connection = connect()) {
      connection.setTransactionIsolation(isolation);
      try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
        insertOften(connection, insert);
        assertThat(FencedPostgresFixture.rows()).isEqualTo(2 * ENOUGH);
        FencedPostgresFixture.takeOver();

        for (int i = 0; i < ENOUGH; i++) {
          assertThatThrownBy(() -> insert(insert)).isInstanceOf(StaleEpochException.class);
          connection.rollback();
        }
        assertThat(FencedPostgresFixture.rows()).isEqualTo(2 * ENOUGH);

        FencedPostgresFixture.execute("UPDATE fences.fence SET epoch = 9, holder = 'node-a'");
        FencedPostgresFixture.SITE.open = 9;
        insertOften(connection, insert);
      }
    }
    assertThat(FencedPostgresFixture.rows()).isEqualTo(4 * ENOUGH);
  }

  @Test
  void threadPausedDuringALeadershipLossIsRefused() throws SQLException {
    try (Connection connection = connect();
        PreparedStatement insert = connection.prepareStatement(INSERT)) {
      insertOften(connection, insert);
      FencedPostgresFixture.execute("UPDATE fences.fence SET epoch = 9, holder = 'node-a'");
      FencedPostgresFixture.SITE.open = 9;
      FencedPostgresFixture.SITE.pinned = 7;

      assertThatThrownBy(() -> insert(insert)).isInstanceOf(StaleEpochException.class);
      connection.rollback();
      FencedPostgresFixture.SITE.pinned = 9;
      insert(insert);
      connection.commit();
    }
    assertThat(FencedPostgresFixture.rows()).isEqualTo(2 * ENOUGH + 1);
  }

  @Test
  void fenceLockIsHeldFromTheFirstWriteToTheEnd() throws SQLException {
    try (Connection connection = connect();
        PreparedStatement insert = connection.prepareStatement(INSERT)) {
      insertOften(connection, insert);
      for (int i = 0; i < ENOUGH; i++) {
        insert(insert);
        assertThat(locks()).isEqualTo("1");
        connection.commit();
        assertThat(locks()).isEqualTo("0");
      }
    }
  }

  private static String locks() throws SQLException {
    return FencedPostgresFixture.query("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'");
  }

  @Test
  void failureInsideLeavesTheNextTransactionIntact() throws SQLException {
    try (Connection connection = connect();
        PreparedStatement insert = connection.prepareStatement(INSERT)) {
      insertOften(connection, insert);
      for (int i = 0; i < ENOUGH; i++) {
        insert.setInt(1, 1);
        assertThatThrownBy(insert::executeUpdate)
            .isInstanceOf(SQLException.class)
            .hasMessageContaining("duplicate key");
        assertThatThrownBy(insert::executeUpdate)
            .isInstanceOf(SQLException.class)
            .hasMessageContaining("aborted");
        connection.rollback();
        insert(insert);
        connection.commit();
      }
    }
    assertThat(FencedPostgresFixture.rows()).isEqualTo(3 * ENOUGH);
  }

  @Test
  void writeAfterAReadAndWriteThroughACursorAreChecked() throws SQLException {
    try (Connection connection = connect();
        PreparedStatement insert = connection.prepareStatement(INSERT);
        PreparedStatement select = connection.prepareStatement("SELECT n FROM t ORDER BY id");
        PreparedStatement lock = connection.prepareStatement("SELECT n FROM t FOR UPDATE")) {
      insertOften(connection, insert);
      lock.setFetchSize(2);
      for (int i = 0; i < ENOUGH; i++) {
        assertThat(count(select)).isEqualTo(next - 1);
        insert(insert);
        connection.commit();
        assertThat(count(lock)).isEqualTo(next - 1);
        connection.commit();
      }
      FencedPostgresFixture.takeOver();

      assertThat(count(select)).isEqualTo(next - 1);
      assertThatThrownBy(() -> insert(insert)).isInstanceOf(StaleEpochException.class);
      connection.rollback();
      assertThatThrownBy(() -> count(lock)).isInstanceOf(StaleEpochException.class);
      connection.rollback();
      assertThat(count(select)).isEqualTo(next - 1);
      connection.commit();
    }
    assertThat(FencedPostgresFixture.rows()).isEqualTo(next - 1);
  }

  private static int count(PreparedStatement select) throws SQLException {
    int count = 0;
    try (ResultSet rows = select.executeQuery()) {
      while (rows.next()) {
        count++;
      }
    }
    return count;
  }

  @Test
  void deallocatedStatementsArePreparedAgain() throws SQLException {
    try (Connection connection = connect()) {
      for (String forget : new String[] {"DISCARD ALL", "DEALLOCATE ALL"}) {
        try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
          insertOften(connection, insert);
        }
        connection.setAutoCommit(true);
        try (PreparedStatement discard = connection.prepareStatement(forget)) {
          discard.execute();
        }
        connection.setAutoCommit(false);
      }
      FencedPostgresFixture.takeOver();
      try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
        assertThatThrownBy(() -> insert(insert)).isInstanceOf(StaleEpochException.class);
      }
      connection.rollback();
    }
    assertThat(FencedPostgresFixture.rows()).isEqualTo(4 * ENOUGH);
  }

  @Test
  void forgottenPreparedCommitEndsTheCheckedState() throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        PreparedStatement insert = connection.prepareStatement(INSERT);
        PreparedStatement chain = connection.prepareStatement("COMMIT AND CHAIN")) {
      insertOften(connection, insert);
      insert(insert);
      chain.execute();
      chain.execute();
      // From now on no name of the driver is trusted any more.
      statement.execute("PREPARE p AS SELECT 1");
      statement.execute("DEALLOCATE p");
      chain.execute();
      int rows = FencedPostgresFixture.rows();
      FencedPostgresFixture.takeOver();

      assertThatThrownBy(() -> insert(insert)).isInstanceOf(StaleEpochException.class);
      connection.commit();

      assertThat(FencedPostgresFixture.rows()).isEqualTo(rows);
    }
  }
}

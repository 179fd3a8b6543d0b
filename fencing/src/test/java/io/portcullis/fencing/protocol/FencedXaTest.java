package io.portcullis.fencing.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.fencing.protocol.FencedDatabaseStub.StaleEpochException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.XAConnection;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.xa.PGXADataSource;

/** Actions of a transaction manager through the driver's XA data source. */
class FencedXaTest {
  private static final String INSERT = "INSERT INTO t (n) VALUES (1)";

  private XAConnection session;
  private XAResource branch;
  private Connection connection;

  @BeforeEach
  void connect() throws SQLException {
    FencedPostgresFixture.reset();
    PGXADataSource source = new PGXADataSource();
    source.setUrl(FencedPostgresFixture.SERVER.url(FencedPostgresFixture.DATABASE));
    source.setUser(FencedPostgresFixture.SERVER.user());
    session = source.getXAConnection();
    branch = session.getXAResource();
    connection = session.getConnection();
  }

  @AfterEach
  void disconnect() throws SQLException {
    session.close();
  }

  private static final class BranchId implements Xid {
    private final String name;

    BranchId(String name) {
      this.name = name;
    }

    @Override
    public int getFormatId() {
      return 1;
    }

    @Override
    public byte[] getGlobalTransactionId() {
      return name.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public byte[] getBranchQualifier() {
      return new byte[] {1};
    }
  }

  private Xid written(String name) throws Exception {
    Xid id = new BranchId(name);
    branch.start(id, XAResource.TMNOFLAGS);
    FencedPostgresServer.execute(connection, INSERT);
    FencedPostgresServer.execute(connection, INSERT);
    branch.end(id, XAResource.TMSUCCESS);
    return id;
  }

  @Test
  void onePhaseCommitSucceedsAndAStaleWriteIsRefused() throws Exception {
    branch.commit(written("first"), true);
    assertThat(FencedPostgresFixture.rows()).isEqualTo(2);
    FencedPostgresFixture.takeOver();
    Xid stale = new BranchId("stale");
    branch.start(stale, XAResource.TMNOFLAGS);

    assertThatThrownBy(() -> FencedPostgresServer.execute(connection, INSERT))
        .isInstanceOf(StaleEpochException.class);
    branch.end(stale, XAResource.TMFAIL);
    branch.rollback(stale);
    assertThat(FencedPostgresFixture.rows()).isEqualTo(2);

    FencedPostgresFixture.reset();
    branch.commit(written("last"), true);
    assertThat(FencedPostgresFixture.rows()).isEqualTo(2);
  }

  @Test
  void twoPhaseCommitIsRefusedWithARemedy() throws Exception {
    Xid id = written("prepared");

    assertThatThrownBy(() -> branch.prepare(id))
        .isInstanceOf(XAException.class)
        .cause()
        .isInstanceOf(SQLException.class)
        .hasFieldOrPropertyWithValue("SQLState", "PCF03")
        .hasMessageContaining("Use a data source without XA");

    assertThat(FencedPostgresFixture.query("SELECT count(*) FROM pg_prepared_xacts"))
        .isEqualTo("0");
    branch.rollback(id);
    assertThat(FencedPostgresFixture.rows()).isZero();
    branch.commit(written("next"), true);
    assertThat(FencedPostgresFixture.rows()).isEqualTo(2);
  }

  @Test
  void foreignPreparedTransactionIsOnlyRolledBack() throws Exception {
    prepareUnfenced();
    Xid[] found = branch.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN);
    assertThat(found).hasSize(1);

    assertThatThrownBy(() -> branch.commit(found[0], false))
        .isInstanceOf(XAException.class)
        .cause()
        .hasFieldOrPropertyWithValue("SQLState", "PCF03");
    assertThat(FencedPostgresFixture.query("SELECT count(*) FROM pg_prepared_xacts"))
        .isEqualTo("1");
    FencedPostgresFixture.takeOver();
    branch.rollback(found[0]);

    assertThat(FencedPostgresFixture.query("SELECT count(*) FROM pg_prepared_xacts"))
        .isEqualTo("0");
    assertThat(FencedPostgresFixture.rows()).isZero();
  }

  /** A name as the driver makes it: format, and the two other parts in base 64. */
  private static void prepareUnfenced() throws SQLException {
    try (Connection elsewhere = FencedPostgresFixture.unfenced()) {
      elsewhere.setAutoCommit(false);
      FencedPostgresServer.execute(elsewhere, INSERT);
      FencedPostgresServer.execute(elsewhere, "PREPARE TRANSACTION '1_ZWxzZXdoZXJl_AQ=='");
      elsewhere.commit();
    }
  }
}

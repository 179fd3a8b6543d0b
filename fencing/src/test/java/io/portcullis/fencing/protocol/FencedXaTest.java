package io.portcullis.fencing.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.portcullis.fencing.protocol.FencedDatabaseStub.Refused;
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

/** What a transaction manager does by the driver's XA data source. */
class FencedXaTest {
  private static final String INSERT = "INSERT INTO t (n) VALUES (1)";

  private XAConnection session;
  private XAResource branch;
  private Connection connection;

  @BeforeEach
  void connect() throws SQLException {
    FencedPostgres.reset();
    PGXADataSource source = new PGXADataSource();
    source.setUrl(FencedPostgres.SERVER.url(FencedPostgres.DATABASE));
    source.setUser(FencedPostgres.SERVER.user());
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
    FencedServer.execute(connection, INSERT);
    FencedServer.execute(connection, INSERT);
    branch.end(id, XAResource.TMSUCCESS);
    return id;
  }

  @Test
  void onePhaseCommitGoesThroughAndAStaleWriteIsRefused() throws Exception {
    branch.commit(written("first"), true);
    assertThat(FencedPostgres.rows()).isEqualTo(2);
    FencedPostgres.takeOver();
    Xid stale = new BranchId("stale");
    branch.start(stale, XAResource.TMNOFLAGS);

    assertThatThrownBy(() -> FencedServer.execute(connection, INSERT)).isInstanceOf(Refused.class);
    branch.end(stale, XAResource.TMFAIL);
    branch.rollback(stale);
    assertThat(FencedPostgres.rows()).isEqualTo(2);

    FencedPostgres.reset();
    branch.commit(written("last"), true);
    assertThat(FencedPostgres.rows()).isEqualTo(2);
  }

  @Test
  void twoPhaseCommitIsRefusedAndSaysWhatToDo() throws Exception {
    Xid id = written("prepared");

    assertThatThrownBy(() -> branch.prepare(id))
        .isInstanceOf(XAException.class)
        .cause()
        .isInstanceOf(SQLException.class)
        .hasFieldOrPropertyWithValue("SQLState", "PCF03")
        .hasMessageContaining("Use a data source without XA");

    assertThat(FencedPostgres.query("SELECT count(*) FROM pg_prepared_xacts")).isEqualTo("0");
    branch.rollback(id);
    assertThat(FencedPostgres.rows()).isZero();
    branch.commit(written("next"), true);
    assertThat(FencedPostgres.rows()).isEqualTo(2);
  }

  @Test
  void whatWasPreparedElsewhereIsFoundAndRolledBackAndNotCommitted() throws Exception {
    prepareUnfenced();
    Xid[] found = branch.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN);
    assertThat(found).hasSize(1);

    assertThatThrownBy(() -> branch.commit(found[0], false))
        .isInstanceOf(XAException.class)
        .cause()
        .hasFieldOrPropertyWithValue("SQLState", "PCF03");
    assertThat(FencedPostgres.query("SELECT count(*) FROM pg_prepared_xacts")).isEqualTo("1");
    FencedPostgres.takeOver();
    branch.rollback(found[0]);

    assertThat(FencedPostgres.query("SELECT count(*) FROM pg_prepared_xacts")).isEqualTo("0");
    assertThat(FencedPostgres.rows()).isZero();
  }

  /** By a name as the driver makes it: format, and in base 64 the two other parts. */
  private static void prepareUnfenced() throws SQLException {
    try (Connection elsewhere = FencedPostgres.unfenced()) {
      elsewhere.setAutoCommit(false);
      FencedServer.execute(elsewhere, INSERT);
      FencedServer.execute(elsewhere, "PREPARE TRANSACTION '1_ZWxzZXdoZXJl_AQ=='");
      elsewhere.commit();
    }
  }
}

package io.portcullis.backend.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.portcullis.election.contract.Claimant;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseResponse.Unknown;
import io.portcullis.servers.PgBouncer;
import io.portcullis.servers.PostgresServer;
import io.portcullis.servers.TransactionPooler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A pooler in transaction mode lends a backend for one transaction, so a session lock has no fixed
 * owner.
 */
class ConnectionPoolerTest {
  private final PostgresServer server = SharedPostgres.SERVER;

  @ParameterizedTest
  @ValueSource(ints = {2, 5})
  void poolerInTransactionModeIsRefused(int backends) throws Exception {
    PostgresFixture site = PostgresFixture.on(server);
    try (TransactionPooler pooler = TransactionPooler.before(server, "postgres", backends);
        Claimant a = site.by(pooler.url()).claimant("a")) {

      LeaseResponse answer = a.acquire(a.claim());

      assertThat(answer).isInstanceOf(Unknown.class);
      assertThat(((Unknown) answer).why())
          .contains("different backends", "pool_mode = transaction", "pool_mode = session");
      assertThat(server.query("SELECT to_regclass('" + site.table() + "')")).isEmpty();
    }
  }

  @Test
  void pgBouncerIsRefusedInTransactionModeOnly() throws Exception {
    assumeTrue(PgBouncer.isInstalled(), "PgBouncer is not installed");
    PostgresFixture site = PostgresFixture.on(server);
    try (PgBouncer lending = PgBouncer.before(server, "pool_mode = transaction");
        PgBouncer keeping = PgBouncer.before(server, "pool_mode = session");
        Claimant refused = site.by(lending.url("postgres")).claimant("a");
        Claimant served = site.by(keeping.url("postgres")).claimant("b")) {

      LeaseResponse answer = refused.acquire(refused.claim());

      assertThat(answer).isInstanceOf(Unknown.class);
      assertThat(((Unknown) answer).why()).contains("pool_mode = transaction");
      assertThat(served.lead().epoch()).isPositive();
    }
  }
}

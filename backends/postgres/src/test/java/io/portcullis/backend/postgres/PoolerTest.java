package io.portcullis.backend.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.portcullis.election.contract.Claimant;
import io.portcullis.election.store.Answer;
import io.portcullis.election.store.Answer.Unknown;
import io.portcullis.servers.PostgresServer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A lock taken by way of a pooler that lends backends for a transaction belongs to anybody. */
class PoolerTest {
  @TempDir Path folder;

  private final PostgresServer server = SharedPostgres.SERVER;

  @ParameterizedTest
  @ValueSource(ints = {2, 5})
  void aPoolerThatLendsBackendsForATransactionIsRefused(int backends) throws Exception {
    Site site = Site.on(server);
    try (TransactionPooler pooler =
            TransactionPooler.before(server.host(), server.port(), backends);
        Claimant a = site.by(pooler.url()).claimant("a")) {

      Answer answer = a.acquire(a.claim());

      assertThat(answer).isInstanceOf(Unknown.class);
      assertThat(((Unknown) answer).why())
          .contains("different backends", "pool_mode = transaction", "pool_mode = session");
      assertThat(server.query("SELECT to_regclass('" + site.table() + "')")).isEmpty();
    }
  }

  @Test
  void pgBouncerIsRefusedInTransactionModeAndUsedInSessionMode() throws Exception {
    assumeTrue(PgBouncer.binary().isPresent(), "PgBouncer is not installed");
    Site site = Site.on(server);
    try (PgBouncer lending = PgBouncer.before(server, "transaction", folder);
        PgBouncer keeping = PgBouncer.before(server, "session", folder);
        Claimant refused = site.by(lending.url()).claimant("a");
        Claimant served = site.by(keeping.url()).claimant("b")) {

      Answer answer = refused.acquire(refused.claim());

      assertThat(answer).isInstanceOf(Unknown.class);
      assertThat(((Unknown) answer).why()).contains("pool_mode = transaction");
      assertThat(served.lead().epoch()).isPositive();
    }
  }
}

package io.portcullis.backend.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.election.contract.Claimant;
import io.portcullis.election.store.Answer;
import io.portcullis.election.store.Answer.Unknown;
import io.portcullis.servers.PostgresServer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A lock taken by way of a pooler that lends backends for a transaction belongs to anybody. */
class PoolerTest {
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
}

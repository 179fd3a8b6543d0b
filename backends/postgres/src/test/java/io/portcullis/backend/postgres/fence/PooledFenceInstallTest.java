package io.portcullis.backend.postgres.fence;

import static io.portcullis.backend.postgres.fence.FenceFixture.HASTY;
import static io.portcullis.backend.postgres.fence.FenceFixture.now;
import static io.portcullis.election.contract.TestTimeouts.MAX_WAIT;
import static java.sql.Connection.TRANSACTION_READ_COMMITTED;
import static java.sql.Connection.TRANSACTION_REPEATABLE_READ;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.portcullis.backend.postgres.SharedPostgres;
import io.portcullis.election.fence.EpochFence;
import io.portcullis.election.fence.EpochFence.FenceState;
import io.portcullis.servers.PgBouncer;
import io.portcullis.servers.PostgresServer;
import io.portcullis.servers.TransactionPooler;
import java.sql.DriverManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Raising the fence through a pooler, as if the application's connections use one. */
class PooledFenceInstallTest {
  private final PostgresServer server = SharedPostgres.SERVER;
  private final FenceFixture place = FenceFixture.on(server);

  @ParameterizedTest
  @ValueSource(ints = {2, 4})
  void fenceIsRaisedThroughASessionPooler(int backends) throws Exception {
    try (TransactionPooler pooler = TransactionPooler.before(server, "postgres", backends)) {
      assertRises(pooler.url());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"transaction", "session"})
  void fenceIsRaisedThroughPgBouncer(String pool) throws Exception {
    assumeTrue(PgBouncer.isInstalled(), "PgBouncer is not installed");
    try (PgBouncer bouncer = PgBouncer.before(server, "pool_mode = " + pool)) {
      assertRises(bouncer.url("postgres"));
    }
  }

  /** The installer's session settings do not reach the next user of the session. */
  @Test
  void nextUserOfTheInstallersSessionFindsItUnchanged() throws Exception {
    try (TransactionPooler pooler = TransactionPooler.before(server, "postgres", 1);
        EpochFence fence = place.plan(pooler.url(), HASTY).open("node")) {
      now(fence.install(1, "a"));
      try (AppSession app =
          new AppSession(
              place,
              DriverManager.getConnection(pooler.url(), "postgres", null),
              TRANSACTION_READ_COMMITTED,
              true)) {
        for (String setting :
            new String[] {"lock_timeout", "statement_timeout", "synchronous_commit"}) {
          assertThat(app.query("SHOW " + setting)).isEqualTo(server.query("SHOW " + setting));
        }
      }
    }
  }

  private void assertRises(String url) throws Exception {
    try (EpochFence fence = place.plan(url, HASTY).open("node")) {
      assertThat(now(fence.install(1, "a"))).isEqualTo(new FenceState(1, "a"));
      long epoch = 1;
      for (int isolation : new int[] {TRANSACTION_READ_COMMITTED, TRANSACTION_REPEATABLE_READ}) {
        try (AppSession old = place.app(isolation);
            AppSession bystander = place.app(isolation)) {
          old.check(epoch, "a");
          bystander.query("SELECT 1");
          epoch++;

          assertThat(now(fence.install(epoch, "a"))).isEqualTo(new FenceState(epoch, "a"));
          await().atMost(MAX_WAIT).until(() -> !old.isAlive());
          assertThat(bystander.isAlive()).isTrue();
        }
      }
      assertThat(now(fence.install(1, "b"))).isEqualTo(new FenceState(epoch, "a"));
    }
  }
}

package io.portcullis.backend.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.election.LeaderElection;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.contract.GateWatch;
import io.portcullis.election.store.Answer;
import io.portcullis.election.store.LeaseStore;
import io.portcullis.election.store.Request;
import io.portcullis.servers.PostgresServer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A table that is taken away from a leader who hears of it late. */
class TakenAwayTest {
  private final PostgresServer server = SharedPostgres.SERVER;
  private final Site site = Site.on(server);

  /** Answers arrive half a lease late, as after a pause of the leader's process. */
  private static LeaseStore slow(LeaseStore store) {
    return new LeaseStore() {
      @Override
      public CompletionStage<Answer> ask(Request request) {
        return store
            .ask(request)
            .thenCompose(
                answer ->
                    answer instanceof Answer.HeldByOther && request instanceof Request.Renew
                        ? CompletableFuture.supplyAsync(
                            () -> answer,
                            CompletableFuture.delayedExecutor(500, TimeUnit.MILLISECONDS))
                        : CompletableFuture.completedFuture(answer));
      }

      @Override
      public void close() {
        store.close();
      }
    };
  }

  @Test
  void aLeaderKeepsTheLockUntilItsGateIsShut() throws Exception {
    try (GateWatch watch = new GateWatch()) {
      ElectionConfig config = new ElectionConfig("test", "writer", "leader", null, site.timing());
      LeaderElection leader = watch.add(new LeaderElection(config, slow(site.open(config))));
      leader.start();
      assertThat(leader.awaitLeadership(Site.LONG)).isTrue();

      server.execute("ALTER TABLE " + site.table() + " RENAME TO away_" + site.table());
      LeaderElection fresh = site.node(watch, "fresh");
      fresh.awaitLeadership(Site.LEASE.multipliedBy(3));

      watch.assertSafe();
    }
  }
}

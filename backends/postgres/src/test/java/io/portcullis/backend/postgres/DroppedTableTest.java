package io.portcullis.backend.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.portcullis.election.LeaderElection;
import io.portcullis.election.config.ElectionConfig;
import io.portcullis.election.config.Timing;
import io.portcullis.election.contract.SplitBrainDetector;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseStore;
import io.portcullis.servers.PostgresServer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A leader's table is dropped, and the leader learns of it late. */
class DroppedTableTest {
  private static final Duration LEASE = Duration.ofSeconds(3);

  private final PostgresServer server = SharedPostgres.SERVER;
  private final PostgresFixture site = PostgresFixture.on(server);
  private final CountDownLatch badNews = new CountDownLatch(1);

  /** Refused heartbeats arrive half a lease late, as after a pause of the leader's process. */
  private LeaseStore slow(LeaseStore store) {
    return new LeaseStore() {
      @Override
      public CompletionStage<LeaseResponse> ask(LeaseRequest request) {
        return store
            .ask(request)
            .thenCompose(
                answer ->
                    answer instanceof LeaseResponse.HeldByOther
                            && request instanceof LeaseRequest.Renew
                        ? late(answer)
                        : CompletableFuture.completedFuture(answer));
      }

      @Override
      public void close() {
        store.close();
      }
    };
  }

  private CompletionStage<LeaseResponse> late(LeaseResponse answer) {
    badNews.countDown();
    return CompletableFuture.supplyAsync(
        () -> answer,
        CompletableFuture.delayedExecutor(LEASE.toMillis() / 2, TimeUnit.MILLISECONDS));
  }

  /** The next heartbeat finds no table, or one that the other node has created. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void leaderKeepsTheLockUntilItsGateIsShut(boolean beforeTheOtherNode) throws Exception {
    Timing timing = PostgresFixture.timing(LEASE);
    ElectionConfig ofLeader = new ElectionConfig("test", "writer", "leader", null, timing);
    ElectionConfig ofFresh = new ElectionConfig("test", "writer", "fresh", null, timing);
    try (SplitBrainDetector watch = new SplitBrainDetector()) {
      LeaderElection leader = watch.add(new LeaderElection(ofLeader, slow(site.open(ofLeader))));
      LeaderElection fresh = watch.add(new LeaderElection(ofFresh, site.open(ofFresh)));
      leader.start();
      assertThat(leader.awaitLeadership(PostgresFixture.LONG)).isTrue();

      server.execute("ALTER TABLE " + site.table() + " RENAME TO away_" + site.table());
      if (beforeTheOtherNode) {
        assertThat(badNews.await(PostgresFixture.LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
      }
      fresh.start(); // It has seen no record, and creates the table again.

      assertThat(fresh.awaitLeadership(PostgresFixture.LONG)).isTrue();
      watch.assertSafe();
    }
  }
}

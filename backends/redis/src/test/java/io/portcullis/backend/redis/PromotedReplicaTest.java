package io.portcullis.backend.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.election.contract.Claimant;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.servers.RedisServer;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A promoted replica may lack the last writes, and it has been up for long. */
class PromotedReplicaTest {
  private RedisServer primary;
  private RedisServer replica;

  @BeforeEach
  void start() {
    primary = RedisServer.startLocal();
    replica = RedisServer.startLocal("replicaof 127.0.0.1 " + primary.port());
    RedisFixture.grown(primary);
    await()
        .atMost(RedisFixture.LONG)
        .pollInterval(Duration.ofMillis(50))
        .until(
            () ->
                RedisCli.command(replica, "INFO", "replication").contains("master_link_status:up"));
  }

  @AfterEach
  void stop() {
    replica.close();
    primary.close();
  }

  @Test
  void oldReleaseInAReplicaIsWaitedOutByNewNodesToo() {
    RedisFixture before = RedisFixture.on(primary);
    RedisFixture after = before.by(replica.uri());
    try (Claimant a = before.briefClaimant("a");
        Claimant fresh = after.briefClaimant("fresh")) {
      LeaseResponse.Granted won = a.lead();
      a.release(won);
      await()
          .atMost(RedisFixture.LONG)
          .until(
              () ->
                  RedisCli.command(replica, "HGET", before.keys().record(), "released")
                      .equals("1"));
      RedisCli.command(replica, "REPLICAOF", "NO", "ONE");

      LeaseResponse atOnce = fresh.acquire(fresh.claim());

      LeaseRecord shown = Claimant.shown(atOnce);
      assertThat(shown.released()).isFalse();
      assertThat(shown.remaining()).isGreaterThanOrEqualTo(RedisFixture.LEASE);
      Claimant.waitOut(shown);
      assertThat(Claimant.granted(fresh.acquire(fresh.claim(shown.recordVersion()))).epoch())
          .isGreaterThan(won.epoch());
    }
  }
}

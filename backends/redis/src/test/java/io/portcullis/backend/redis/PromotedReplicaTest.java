package io.portcullis.backend.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.election.contract.Claimant;
import io.portcullis.election.store.Answer;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.servers.RedisServer;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A replica that takes over may be behind, and it has been up for long. */
class PromotedReplicaTest {
  private RedisServer primary;
  private RedisServer replica;

  @BeforeEach
  void start() {
    primary = RedisServer.startLocal();
    replica = RedisServer.startLocal("replicaof 127.0.0.1 " + primary.port());
    Site.grown(primary);
    await()
        .atMost(Site.LONG)
        .pollInterval(Duration.ofMillis(50))
        .until(() -> Cli.say(replica, "INFO", "replication").contains("master_link_status:up"));
  }

  @AfterEach
  void stop() {
    replica.close();
    primary.close();
  }

  @Test
  void aReleaseThatItHasFromBeforeIsWaitedOutAlsoByANodeThatHasSeenNothing() {
    Site before = Site.on(primary);
    Site after = before.by(replica.uri());
    try (Claimant a = before.briefClaimant("a");
        Claimant fresh = after.briefClaimant("fresh")) {
      Answer.Granted won = a.lead();
      a.release(won);
      await()
          .atMost(Site.LONG)
          .until(() -> Cli.say(replica, "HGET", before.keys().record(), "released").equals("1"));
      Cli.say(replica, "REPLICAOF", "NO", "ONE");

      Answer atOnce = fresh.acquire(fresh.claim());

      LeaseRecord shown = Claimant.shown(atOnce);
      assertThat(shown.released()).isFalse();
      assertThat(shown.remaining()).isGreaterThanOrEqualTo(Site.LEASE);
      Claimant.waitOut(shown);
      assertThat(Claimant.granted(fresh.acquire(fresh.claim(shown.stamp()))).epoch())
          .isGreaterThan(won.epoch());
    }
  }
}

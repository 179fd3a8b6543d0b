package io.portcullis.backend.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.election.LeaderElection;
import io.portcullis.election.contract.ContenderPair;
import io.portcullis.election.contract.SplitBrainDetector;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whole elections while the store loses data without a restart. */
@Tag("slow")
class RedisDataLossTest {
  private final RedisFixture site = RedisFixture.on(SharedRedis.SERVER);

  @Test
  void deletedKeyEndsTheTenureAndTheNextEpochIsHigher() throws Exception {
    try (ContenderPair pair = site.pair()) {
      long epoch = pair.epoch();

      site.command("DEL", site.keys().lease());

      pair.awaitLeaderAbove(epoch);
    }
  }

  @Test
  void deletedRecordEndsTheTenureAndTheNextEpochIsHigher() throws Exception {
    try (ContenderPair pair = site.pair()) {
      long epoch = pair.epoch();

      site.command("DEL", site.keys().record());

      pair.awaitLeaderAbove(epoch);
    }
  }

  @Test
  void flushedStoreIsWaitedOutByNodesThatSawARecord() throws Exception {
    try (ContenderPair pair = site.pair()) {
      for (int i = 0; i < 3; i++) {
        long epoch = pair.epoch();

        site.command("FLUSHALL");
        pair.awaitLeaderAbove(epoch);
      }
    }
  }

  @Test
  void killedConnectionsAndFlushedScriptsCostNoTenure() throws Exception {
    try (ContenderPair pair = site.steadyPair()) {
      long epoch = pair.epoch();
      for (int i = 0; i < 3; i++) {
        site.command("CLIENT", "KILL", "TYPE", "normal");
        site.command("CLIENT", "KILL", "TYPE", "pubsub");
        site.command("SCRIPT", "FLUSH");
        pair.awaitRenewals(2);
      }

      assertThat(pair.first().isLeader()).isTrue();
      assertThat(pair.first().epoch()).isEqualTo(epoch);
    }
  }

  @Test
  void nodeNeverLeadsWithoutTheRequiredReplicas() throws Exception {
    try (SplitBrainDetector watch = new SplitBrainDetector()) {
      LeaderElection node = site.needing(1).node(watch, "only");

      boolean led = node.awaitLeadership(Duration.ofSeconds(4));
      await()
          .atMost(RedisFixture.LONG)
          .until(() -> site.command("HGET", site.keys().record(), "holder").equals("only"));

      assertThat(led || node.isLeader()).isFalse();
      assertThat(watch.highestEpoch()).isZero();
    }
  }
}

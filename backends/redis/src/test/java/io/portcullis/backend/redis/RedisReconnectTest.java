package io.portcullis.backend.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.portcullis.election.contract.Claimant;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseResponse.Granted;
import io.portcullis.election.store.LeaseResponse.HeldByOther;
import io.portcullis.servers.RedisServer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Connections that are lost and replaced. */
class RedisReconnectTest {
  private final RedisFixture site = RedisFixture.on(SharedRedis.SERVER);

  @Test
  void requestsOfAnOutageAreNeverSentLater() {
    try (RedisServer server = RedisFixture.warmed(RedisServer.start())) {
      assumeTrue(server.isControllable());
      try (Claimant a = RedisFixture.on(server).claimant("a", Duration.ofMillis(500))) {
        await()
            .atMost(RedisFixture.LONG)
            .until(() -> a.ask(new LeaseRequest.Look()) instanceof HeldByOther);

        server.kill();
        for (int i = 0; i < 5; i++) {
          assertThat(a.renew(7)).isInstanceOf(LeaseResponse.Unknown.class);
        }
        server.restart();

        await()
            .during(Duration.ofSeconds(2))
            .atMost(RedisFixture.LONG)
            .until(() -> !RedisCli.command(server, "INFO", "commandstats").contains("eval"));
        await()
            .atMost(RedisFixture.LONG)
            .until(() -> a.ask(new LeaseRequest.Look()) instanceof HeldByOther);
        // The script once by its digest, which the new server does not have, and once in full.
        assertThat(RedisCli.command(server, "INFO", "commandstats"))
            .contains("cmdstat_evalsha:calls=1,", "cmdstat_eval:calls=1,");
      }
    }
  }

  @Test
  void killedConnectionIsReplacedWithinTheNextRequest() {
    try (Claimant a = site.claimant("a")) {
      Granted won = a.lead();

      for (int i = 0; i < 5; i++) {
        site.command("CLIENT", "KILL", "TYPE", "normal");

        assertThat(a.renew(won.epoch())).isEqualTo(won);
      }
    }
  }

  @Test
  void killedSubscriptionIsRestored() {
    try (Claimant a = site.claimant("a")) {
      a.look();
      awaitSubscribed();

      site.command("CLIENT", "KILL", "TYPE", "pubsub");

      int before = a.hints();
      awaitSubscribed();
      await().atMost(RedisFixture.LONG).until(() -> a.hints() > before);
    }
  }

  private void awaitSubscribed() {
    await()
        .atMost(RedisFixture.LONG)
        .until(() -> site.command("PUBSUB", "NUMSUB", site.keys().channel()).endsWith("1"));
  }

  @Test
  void flushedScriptIsSentAgainWithinTheRequest() {
    try (Claimant a = site.claimant("a")) {
      Granted won = a.lead();

      site.command("SCRIPT", "FLUSH");

      assertThat(a.renew(won.epoch())).isEqualTo(won);
    }
  }
}

package io.portcullis.backend.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.election.contract.Claimant;
import io.portcullis.election.contract.ContenderPair;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseResponse.HeldByOther;
import io.portcullis.servers.RedisServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** A primary with one replica, monitored by a sentinel. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("slow")
class RedisSentinelTest {
  private static RedisServer primary;
  private static RedisServer replica;
  private static RedisServer sentinel;

  @BeforeAll
  static void start() {
    primary = RedisServer.startLocal();
    replica = RedisServer.startLocal("replicaof 127.0.0.1 " + primary.port());
    sentinel =
        RedisServer.startLocal(
            "--sentinel",
            "sentinel monitor mymaster 127.0.0.1 " + primary.port() + " 1",
            "sentinel down-after-milliseconds mymaster 700",
            "sentinel failover-timeout mymaster 4000");
    await()
        .atMost(RedisFixture.LONG)
        .pollInterval(Duration.ofMillis(50))
        .until(
            () ->
                RedisCli.command(replica, "INFO", "replication").contains("master_link_status:up"));
    await()
        .atMost(RedisFixture.LONG)
        .pollInterval(Duration.ofMillis(50))
        .until(() -> RedisCli.command(sentinel, "INFO", "sentinel").contains("slaves=1"));
    RedisFixture.grown(primary, RedisFixture.STEADY_LEASE);
  }

  @AfterAll
  static void stop() {
    sentinel.close();
    replica.close();
    primary.close();
  }

  private static RedisFixture site() {
    return RedisFixture.at(primary, "redis-sentinel://127.0.0.1:" + sentinel.port() + "#mymaster");
  }

  @Test
  @Order(1)
  void replicaReceivesNoRequests() {
    try (Claimant a = RedisFixture.on(replica).claimant("a")) {
      assertThat(((LeaseResponse.Unknown) a.acquire(a.claim())).why()).contains("replica");
    }
  }

  @Test
  @Order(2)
  void grantConfirmedByTheReplicaCounts() {
    try (Claimant a = site().needing(1).claimant("a")) {
      // The first connection through a sentinel may exceed a request's timeout.
      await()
          .atMost(RedisFixture.LONG)
          .until(() -> a.ask(new LeaseRequest.Look()) instanceof HeldByOther);
      LeaseResponse.Granted won = a.lead();

      assertThat(a.renew(won.epoch())).isEqualTo(won);
      replica.pause();
      LeaseResponse unconfirmed = a.renew(won.epoch());
      replica.resume();
      assertThat(((LeaseResponse.Unknown) unconfirmed).why()).contains("0 replicas have confirmed");
    }
  }

  @Test
  @Order(3)
  void silentSentinelDoesNotBlockAccessToTheOthers() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      RedisFixture both =
          site()
              .by(
                  "redis-sentinel://127.0.0.1:%d,127.0.0.1:%d#mymaster"
                      .formatted(silent.getLocalPort(), sentinel.port()));
      try (Claimant a = both.claimant("a")) {
        await()
            .atMost(RedisFixture.LONG)
            .until(() -> a.ask(new LeaseRequest.Look()) instanceof LeaseResponse.HeldByOther);
      }
    }
  }

  @Test
  @Order(4)
  void failoverIsFollowedAndTheOldTenureWaitedOut() throws Exception {
    try (ContenderPair pair = site().pair()) {
      long epoch = pair.epoch();

      primary.kill();
      pair.awaitNobody();

      pair.awaitLeaderAbove(epoch);
      assertThat(RedisCli.command(replica, "INFO", "replication")).contains("role:master");
    }
  }
}

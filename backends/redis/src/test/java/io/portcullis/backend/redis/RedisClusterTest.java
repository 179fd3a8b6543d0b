package io.portcullis.backend.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.portcullis.backend.redis.LeaseScript.LeaseKeys;
import io.portcullis.election.contract.Claimant;
import io.portcullis.election.contract.ContenderPair;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.servers.RedisServer;
import java.time.Duration;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A cluster of two members, of which one serves all slots. */
class RedisClusterTest {
  private static RedisServer serving;
  private static RedisServer idle;

  @BeforeAll
  static void start() {
    serving = RedisServer.startLocal("cluster-enabled yes");
    idle = RedisServer.startLocal("cluster-enabled yes");
    String[] all =
        Stream.concat(
                Stream.of("CLUSTER", "ADDSLOTS"),
                IntStream.range(0, 16384).mapToObj(String::valueOf))
            .toArray(String[]::new);
    RedisCli.command(serving, all);
    RedisCli.command(idle, "CLUSTER", "MEET", "127.0.0.1", String.valueOf(serving.port()));
    for (RedisServer member : new RedisServer[] {serving, idle}) {
      await()
          .atMost(RedisFixture.LONG)
          .pollInterval(Duration.ofMillis(50))
          .until(() -> RedisCli.command(member, "CLUSTER", "INFO").contains("cluster_state:ok"));
    }
    RedisFixture.grown(serving, RedisFixture.STEADY_LEASE);
  }

  @AfterAll
  static void stop() {
    idle.close();
    serving.close();
  }

  @Test
  void memberWithoutTheSlotRedirectsToTheRightMember() {
    RedisFixture site = RedisFixture.at(serving, "redis-cluster://127.0.0.1:" + idle.port());
    try (Claimant a = site.claimant("a")) {
      LeaseResponse.Granted won = a.lead();

      assertThat(a.renew(won.epoch())).isEqualTo(won);
      assertThat(site.command("GET", site.keys().lease())).isEqualTo("a:" + won.epoch());
    }
  }

  @Test
  void nodesOnDifferentMembersElectOneLeader() throws Exception {
    RedisFixture one = RedisFixture.at(serving, "redis-cluster://127.0.0.1:" + idle.port());
    RedisFixture other = one.by("redis-cluster://127.0.0.1:1,127.0.0.1:" + serving.port());
    try (ContenderPair pair = one.steadyPairWith(other)) {
      long epoch = pair.epoch();

      pair.first().stepDown();

      pair.awaitLeads(pair.second(), epoch);
    }
  }

  @Test
  void movedSlotCostsNoTenure() {
    RedisFixture site = RedisFixture.at(serving, "redis-cluster://127.0.0.1:" + serving.port());
    try (Claimant a = site.claimant("a")) {
      LeaseResponse.Granted won = a.lead();

      moveSlot(site.keys());

      assertThat(Claimant.granted(a.renew(won.epoch())).epoch()).isEqualTo(won.epoch());
      assertThat(RedisCli.command(idle, "GET", site.keys().lease())).isEqualTo("a:" + won.epoch());
    }
  }

  /** Moves the slot of these keys to the idle member. */
  private static void moveSlot(LeaseKeys keys) {
    String slot = RedisCli.command(serving, "CLUSTER", "KEYSLOT", keys.lease());
    String from = RedisCli.command(serving, "CLUSTER", "MYID");
    String to = RedisCli.command(idle, "CLUSTER", "MYID");
    RedisCli.command(idle, "CLUSTER", "SETSLOT", slot, "IMPORTING", from);
    RedisCli.command(serving, "CLUSTER", "SETSLOT", slot, "MIGRATING", to);
    String port = String.valueOf(idle.port());
    RedisCli.command(
        serving,
        "MIGRATE",
        "127.0.0.1",
        port,
        "",
        "0",
        "5000",
        "KEYS",
        keys.lease(),
        keys.record());
    RedisCli.command(idle, "CLUSTER", "SETSLOT", slot, "NODE", to);
    RedisCli.command(serving, "CLUSTER", "SETSLOT", slot, "NODE", to);
  }

  @Test
  void clusterConfiguredAsSingleServerIsReported() {
    try (Claimant a = RedisFixture.on(idle).claimant("a")) {
      assertThat(((LeaseResponse.Unknown) a.acquire(a.claim())).why()).contains("redis-cluster://");
    }
  }
}

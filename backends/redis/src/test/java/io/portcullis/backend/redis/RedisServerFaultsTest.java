package io.portcullis.backend.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.portcullis.election.contract.Claimant;
import io.portcullis.election.contract.ContenderPair;
import io.portcullis.election.store.LeaseRecord;
import io.portcullis.election.store.LeaseRequest;
import io.portcullis.election.store.LeaseResponse;
import io.portcullis.election.store.LeaseResponse.Granted;
import io.portcullis.servers.RedisServer;
import io.portcullis.servers.TcpProxy;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The server stops, is killed, and restarts. */
@Tag("slow")
class RedisServerFaultsTest {
  private static RedisServer server;

  @BeforeAll
  static void start() {
    server = RedisFixture.warmed(RedisServer.start("--appendonly yes", "--appendfsync always"));
    assumeTrue(server.isControllable());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void newServerGrantsNothingAndReportsTheWait() {
    try (RedisServer young = RedisServer.start()) {
      RedisFixture site = RedisFixture.on(young);
      try (Claimant a = site.claimant("a")) {
        LeaseRecord ground = Claimant.shown(a.acquire(a.claim()));
        LeaseResponse tooSoon = a.acquire(a.claim(ground.recordVersion()));

        assertThat(ground.lease()).isEqualTo(Duration.ZERO);
        assertThat(ground.remaining())
            .isBetween(Duration.ofSeconds(1), RedisFixture.STEADY_LEASE.plusSeconds(3));
        assertThat(Claimant.shown(tooSoon).recordVersion()).isEqualTo(ground.recordVersion());
        Claimant.waitOut(ground);
        assertThat(a.acquire(a.claim(ground.recordVersion()))).isInstanceOf(Granted.class);
      }
    }
  }

  @Test
  void releaseOfAnEarlierIncarnationIsWaitedOut() {
    RedisFixture site = RedisFixture.on(RedisFixture.grown(server));
    try (Claimant a = site.briefClaimant("a");
        Claimant b = site.briefClaimant("b")) {
      Granted won = a.lead();
      a.release(won);

      server.restart();
      awaitAnswer(b);
      LeaseRecord young = b.look();
      LeaseResponse whileYoung = b.acquire(b.claim());
      Claimant.waitOut(young);
      LeaseResponse knowing = b.acquire(b.claim(null, won.epoch(), won.incarnation()));
      LeaseResponse unknowing = b.acquire(b.claim());
      LeaseResponse patient = b.acquire(b.claim(young.recordVersion()));

      assertThat(young.released()).isFalse();
      assertThat(Claimant.shown(whileYoung).holder()).isEqualTo("a");
      assertThat(Claimant.shown(knowing).released()).isFalse();
      assertThat(Claimant.shown(unknowing).released()).isFalse();
      assertThat(Claimant.granted(patient).epoch()).isGreaterThan(won.epoch());
      assertThat(Claimant.granted(patient).incarnation()).isNotEqualTo(won.incarnation());
    }
  }

  @Test
  void releaseSentToANewIncarnationChangesNothing() {
    RedisFixture site = RedisFixture.on(RedisFixture.grown(server));
    try (Claimant a = site.briefClaimant("a")) {
      Granted won = a.lead();

      server.restart();
      awaitAnswer(a);
      LeaseRecord after = a.release(won);

      assertThat(after.released()).isFalse();
      assertThat(site.command("HGET", site.keys().record(), "released")).isEqualTo("0");
    }
  }

  @Test
  void stoppedServerCostsOnlyTheTenure() throws Exception {
    RedisFixture site = RedisFixture.on(RedisFixture.grown(server));
    try (ContenderPair pair = site.pair()) {
      long epoch = pair.epoch();

      server.pause();
      pair.awaitNobody();
      pair.watchFor(RedisFixture.LEASE.multipliedBy(2));
      server.resume();

      pair.awaitLeaderAbove(epoch);
    }
  }

  @Test
  void restartThatKeepsItsDataIsWaitedOut() throws Exception {
    RedisFixture site = RedisFixture.on(RedisFixture.grown(server));
    try (ContenderPair pair = site.pair()) {
      long epoch = pair.epoch();

      server.kill();
      pair.awaitNobody();
      server.restart();

      pair.awaitLeaderAbove(epoch);
    }
  }

  @Test
  void emptyServerGrantsNothingWhileTheOldGateIsOpen() throws Exception {
    try (RedisServer forgetful = RedisFixture.grown(RedisServer.start());
        TcpProxy proxy = TcpProxy.to(forgetful.host(), forgetful.port())) {
      RedisFixture site = RedisFixture.on(forgetful);
      RedisFixture behind = site.by("redis://" + proxy.host() + ":" + proxy.port());
      try (ContenderPair pair = behind.pairWith(site)) {
        long epoch = pair.epoch();

        proxy.dropSilently(); // The leader does not notice.
        forgetful.restart();
        site.node(pair.watch(), "third");
        await().atMost(RedisFixture.LONG).until(() -> pair.watch().highestEpoch() > epoch);

        pair.watch().assertSafe();
      }
    }
  }

  @Test
  void serverIsFoundAgainAfterManyLeases() throws Exception {
    try (RedisServer away = RedisFixture.grown(RedisServer.start())) {
      try (ContenderPair pair = RedisFixture.on(away).pair()) {
        long epoch = pair.epoch();

        away.kill();
        pair.awaitNobody();
        pair.watchFor(RedisFixture.LEASE.multipliedBy(5));
        away.restart();

        pair.awaitLeaderAbove(epoch);
      }
    }
  }

  private static void awaitAnswer(Claimant who) {
    await()
        .atMost(RedisFixture.LONG)
        .until(() -> !(who.ask(new LeaseRequest.Look()) instanceof LeaseResponse.Unknown));
  }
}
